/** Web worker that parses a CSV file, so that the page stays responsive. */
import type { FileLimits } from '@lanternrock/contract/csv-file';
import { readCsv, type CsvResult } from './read-csv.ts';

export interface CsvRequest {
  readonly bytes: ArrayBuffer;
  readonly name: string;
  readonly limits: FileLimits;
}

/** The worker sends `loaded` first. `use-csv-file.ts` limits the time until then, but not that of parsing. */
export type CsvReply = 'loaded' | CsvResult;

addEventListener('message', ({ data: { bytes, name, limits } }: MessageEvent<CsvRequest>) => {
  postMessage(readCsv(new Uint8Array(bytes), name, limits) satisfies CsvReply);
});

postMessage('loaded' satisfies CsvReply);
