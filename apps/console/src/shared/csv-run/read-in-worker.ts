/** Reads a file in a worker, so that the page stays responsive. */
import { fileTexts } from '@lanternrock/contract/csv-file';
import type { ListResult, ReadingChoice } from '@lanternrock/contract/list-file';
import { codeMessage, codeTimeoutMs } from '../../api/load-code.ts';
import type { CsvReply } from './csv-worker.ts';
import type { ReadRequest } from './read-list.ts';

/** Returns the list, or the sentence that explains why the file cannot be used. */
export const readInWorker = async (
  file: File,
  { limits, columnNames }: Pick<ReadRequest, 'limits' | 'columnNames'>,
  choice: ReadingChoice,
): Promise<ListResult> => {
  const { name, size } = file;
  if (size > limits.bytes) return { problem: fileTexts.tooLarge(name, limits) };
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    // The file was moved or changed after it was chosen.
    return { problem: fileTexts.unreadable(name) };
  }
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<ListResult>((resolve) => {
      let problem = codeMessage;
      const fail = (): void => resolve({ problem });
      const timer = setTimeout(fail, codeTimeoutMs);
      worker.addEventListener('message', ({ data }: MessageEvent<CsvReply>) => {
        clearTimeout(timer);
        problem = fileTexts.unreadable(name);
        if (data !== 'loaded') resolve(data);
      });
      worker.addEventListener('error', fail);
      worker.postMessage({ bytes, name, limits, columnNames, choice } satisfies ReadRequest, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
};
