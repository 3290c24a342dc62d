import type { Writable } from 'node:stream';

/** Resolves when the stream accepts more data, or is closed. */
export const whenDrained = async (stream: Writable): Promise<void> => {
  if (!stream.writableNeedDrain) return;
  const events = ['drain', 'close', 'error'];
  await new Promise<void>((resolve) => {
    const end = (): void => {
      for (const event of events) stream.off(event, end);
      resolve();
    };
    for (const event of events) stream.on(event, end);
  });
};
