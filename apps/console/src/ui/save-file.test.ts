import { afterEach, expect, it } from 'vitest';
import { formatBytes, saveFile } from './save-file.ts';
import { dismissAllToasts, getActiveToasts } from './toast.ts';

afterEach(dismissAllToasts);

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [820_400, '821 kB'],
  [12_400_000, '12.4 MB'],
])('formats %i bytes as %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});

const text = { running: 'Exporting...', failed: 'Error exporting' };
const shown = () =>
  getActiveToasts().map(({ title, description, button }) => [title, description, button?.label]);

it('shows the error of a failed download, and Retry loads it again', async () => {
  let attempts = 0;
  const load = async (): Promise<Blob> => {
    attempts += 1;
    throw new Error('The service is unavailable.');
  };
  await saveFile({ action: 'export', fileName: 'a.csv', load, text });
  expect(shown()).toEqual([['Error exporting', 'The service is unavailable.', 'Retry']]);
  getActiveToasts()[0]?.button?.onPress();
  await Promise.resolve();
  expect(attempts).toBe(2);
});

it('runs once at a time, and Cancel ends it without an error', async () => {
  const load = async ({ signal }: { signal: AbortSignal }): Promise<Blob> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const first = saveFile({ action: 'export', fileName: 'a.csv', load, text });
  await saveFile({ action: 'export', fileName: 'a.csv', load, text });
  expect(shown()).toEqual([['Exporting...', '', 'Cancel']]);
  getActiveToasts()[0]?.button?.onPress();
  await first;
  expect(shown()).toEqual([]);
});
