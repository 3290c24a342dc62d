/** Reads a CSV file that the user chooses. */
import { type FileLimits, fileTexts } from '@lanternrock/contract/account-file';
import { codeMessage, codeTimeoutMs } from '../api/connection.ts';
import type { CsvReply, CsvRequest } from './csv-worker.ts';
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
      let problem = codeMessage;
      const fail = (): void => resolve({ problem });
      const timer = setTimeout(fail, codeTimeoutMs);
      worker.addEventListener('message', ({ data }: MessageEvent<CsvReply>) => {
        clearTimeout(timer);
        problem = fileTexts.unreadable(name);
        if (data !== 'loaded') resolve(data);
      });
      worker.addEventListener('error', fail);
      worker.postMessage({ bytes, name, limits } satisfies CsvRequest, [bytes]);
    });
  } finally {
    worker.terminate();
  }
};
