/** Web worker that parses a CSV file, so that the page stays responsive. */
import type { FileLimits } from '@lanternrock/contract/csv-file';
import { readCsv, type CsvResult } from './read-csv.ts';

export interface CsvRequest {
  readonly bytes: ArrayBuffer;
  readonly name: string;
  readonly limits: FileLimits;
}

/** `loaded` comes first: the time limit is that of the code, because a large file takes long. */
export type CsvReply = 'loaded' | CsvResult;

addEventListener('message', ({ data: { bytes, name, limits } }: MessageEvent<CsvRequest>) => {
  postMessage(readCsv(new Uint8Array(bytes), name, limits) satisfies CsvReply);
});

postMessage('loaded' satisfies CsvReply);
