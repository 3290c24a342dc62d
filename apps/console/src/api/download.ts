/** Downloads the file that a function of the Functions API sends. Not part of the initial bundle. */
import { authorizedFetch, backendUrl, getCurrentSession } from './auth.ts';
import { ApiError, fromErrorBody, sentenceForStatus, unreachableMessage } from './errors.ts';

interface DownloadOptions {
  readonly signal: AbortSignal;
  /** @param bytes number of bytes received so far */
  readonly onProgress: (bytes: number) => void;
}

const interruptedMessage = 'The download was interrupted, so no file was saved. Try again.';

/**
 * Calls a function whose response is a file, as the signed-in user.
 *
 * @returns the complete file
 * @throws ApiError if the function rejects the call, or the connection is lost before the end of the file
 * @throws AbortError if `signal` is aborted
 */
export const downloadFile = async (
  name: string,
  body: Record<string, unknown>,
  { signal, onProgress }: DownloadOptions,
): Promise<Blob> => {
  if ((await getCurrentSession()) === null)
    throw new ApiError({ kind: 'auth', status: 401, message: 'Not authenticated' });
  const response = await authorizedFetch(`${backendUrl}/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new ApiError({ kind: 'network', message: unreachableMessage, cause });
  });
  const { status } = response;
  if (!response.ok) {
    const error: unknown = await response.json().catch(() => undefined);
    throw fromErrorBody('function', status, error, sentenceForStatus(status));
  }
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  try {
    const type = response.headers.get('Content-Type') ?? '';
    return await new Response(response.body?.pipeThrough(count), {
      headers: { 'Content-Type': type },
    }).blob();
  } catch (cause) {
    // The service closes the connection if it cannot complete the file.
    throw signal.aborted
      ? cause
      : new ApiError({ kind: 'network', status, message: interruptedMessage, cause });
  }
};
