/** Web worker that reads a list, so that the page stays responsive. */
import type { ListResult } from '@lanternrock/contract/list-file';
import { readList, type ReadRequest } from './read-list.ts';

/** The worker sends `loaded` first. `read-in-worker.ts` limits the time until then, but not that of reading. */
export type CsvReply = 'loaded' | ListResult;

addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  // A rejection alone is no `error` event of the worker.
  readList(data).then((result) => postMessage(result satisfies CsvReply), reportError);
});

postMessage('loaded' satisfies CsvReply);
