/** Reads a CSV file that the user chooses. */
import { type FileLimits, fileTexts } from '@lanternrock/contract/account-file';
import type { CsvRequest } from './csv-worker.ts';
import type { CsvResult } from './read-csv.ts';

/** Parses a file in a worker. */
export const readCsvFile = async (file: File, limits: FileLimits): Promise<CsvResult> => {
  const { name, size } = file;
  if (size > limits.bytes) return { problem: fileTexts.tooLarge(name, limits) };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // The file was moved or changed after it was chosen.
    return { problem: fileTexts.unreadable(name) };
  }
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<CsvResult>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<CsvResult>) => resolve(data));
      worker.addEventListener('error', () => resolve({ problem: fileTexts.unreadable(name) }));
      worker.postMessage({ bytes, name, limits } satisfies CsvRequest, [bytes]);
    });
  } finally {
    worker.terminate();
  }
};
