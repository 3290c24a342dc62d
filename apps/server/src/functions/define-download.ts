/** Defines functions of the Functions API whose response is a file, sent while it is read. */
import type { DownloadName, ParsedInput } from '@lanternrock/contract/functions';
import { defineFunction, type FunctionCall, type FunctionDefinition } from './define-function.ts';

interface DownloadedFile {
  /** Letters, digits, hyphens and periods. */
  readonly name: string;
  readonly type: 'text/csv' | 'application/jsonl';
  /**
   * The text of the file; a chunk can be empty. It must read in short transactions (`keyset-batches.ts`), because the next
   * chunk is requested when the client has received the last one. If it throws, the connection is closed, so that the
   * client discards the incomplete file.
   */
  readonly chunks: AsyncGenerator<string, void, undefined>;
}

interface DownloadDefinition<Name extends DownloadName> extends Pick<
  FunctionDefinition<Name>,
  'name' | 'input' | 'limit'
> {
  /** Called after the authorization. `call.transaction` authorizes each batch again. */
  readonly file: (call: FunctionCall<ParsedInput<Name>>) => DownloadedFile;
}

export const defineDownload = <Name extends DownloadName>({
  file,
  ...definition
}: DownloadDefinition<Name>) =>
  defineFunction<Name>({ ...definition, work: async (call) => sendFile(file(call)) });

/** Reads the first chunk before the response starts, so that an error of the database is an error response. */
async function sendFile({ name, type, chunks }: DownloadedFile): Promise<Response> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, void>> | null = Promise.resolve(await chunks.next());
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          const { value, done } = await (next ?? chunks.next());
          next = null;
          if (isCanceled) return;
          if (done) return controller.close();
          if (value !== '') return controller.enqueue(encoder.encode(value));
        }
      },
      // The client has disconnected. A batch that is being read is completed first.
      cancel: async () => {
        isCanceled = true;
        await chunks.return();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
      // Compression would collect the whole file in memory. Without buffering, a proxy passes on the back pressure.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}
