/** Web worker that parses a CSV file, so that the page stays responsive. */
import type { FileLimits } from '@lanternrock/contract/account-file';
import { readCsv } from './read-csv.ts';

export interface CsvRequest {
  readonly bytes: ArrayBuffer;
  readonly name: string;
  readonly limits: FileLimits;
}

addEventListener('message', ({ data: { bytes, name, limits } }: MessageEvent<CsvRequest>) => {
  postMessage(readCsv(new Uint8Array(bytes), name, limits));
});
