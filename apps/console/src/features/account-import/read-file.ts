/** Reads a file that the user chooses. */
import { fileTexts, importFileLimits } from '@lanternrock/contract/account-file';
import type { ParsedFile, WorkerResponse } from './csv-worker.ts';
import { importText } from './import-text.ts';

/**
 * Parses a file in a worker.
 *
 * @returns the file, or the sentence that explains why it cannot be imported
 */
export const readImportFile = async (file: File): Promise<ParsedFile | { readonly problem: string }> => {
  const { name, size } = file;
  if (size > importFileLimits.bytes) return { problem: fileTexts.tooLarge(name) };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // The file was moved or changed after it was chosen.
    return { problem: importText.file.unreadable(name) };
  }
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<WorkerResponse>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => resolve(data));
      worker.addEventListener('error', () => resolve({ problem: importText.file.unreadable(name) }));
      worker.postMessage({ bytes, name }, [bytes]);
    });
  } finally {
    worker.terminate();
  }
};
