/** Downloads the file that a function of the Functions API sends. Not part of the initial bundle. */
import { backendUrl, fetchAuthorized, getCurrentSession } from './auth.ts';
import { changeTimeoutMs, fetchHeaders, withDeadline } from './deadline.ts';
import { ApiError, fromErrorBody, networkError, sentenceForStatus, timeoutCode } from './errors.ts';

interface DownloadOptions {
  readonly signal: AbortSignal;
  /** @param bytes number of bytes received so far */
  readonly onProgress: (bytes: number) => void;
}

const interruptedMessage = 'The download was interrupted, so no file was saved. Try again.';

/**
 * Calls a function whose response is a file, as the signed-in user. A large file takes longer than any time limit, so
 * the limit applies to the time without a byte.
 *
 * @returns the complete file
 * @throws ApiError if the function rejects the call, or the connection is lost before the end of the file
 * @throws AbortError if `signal` is aborted
 */
export const downloadFile = (
  name: string,
  body: Record<string, unknown>,
  { signal, onProgress }: DownloadOptions,
): Promise<Blob> =>
  withDeadline(changeTimeoutMs, signal, async (deadline) => {
    if ((await getCurrentSession()) === null)
      throw new ApiError({ kind: 'auth', status: 401, message: 'Not authenticated' });
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    const url = `${backendUrl}/functions/v1/${name}`;
    const response = await fetchAuthorized(deadline, url, init, fetchHeaders).catch((cause: unknown) => {
      throw signal.aborted ? cause : networkError(cause);
    });
    const { status } = response;
    if (!response.ok) {
      const error: unknown = await response.json().catch(() => undefined);
      throw fromErrorBody('function', status, error, sentenceForStatus(status));
    }
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        deadline.restart();
        bytes += chunk.byteLength;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    });
    const type = response.headers.get('Content-Type') ?? '';
    const file = new Response(response.body?.pipeThrough(count), { headers: { 'Content-Type': type } });
    return await file.blob().catch((cause: unknown) => {
      if (signal.aborted || (cause instanceof ApiError && cause.code === timeoutCode)) throw cause;
      // The service closes the connection if it cannot complete the file.
      throw new ApiError({ kind: 'network', status, message: interruptedMessage, cause });
    });
  });
