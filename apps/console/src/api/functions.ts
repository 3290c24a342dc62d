/** Calls of the Functions API. */
import {
  type DownloadName,
  type FunctionInput,
  type FunctionName,
  type FunctionOutput,
  functions,
} from '@lanternrock/contract/functions';
import { sendWithSession } from './fetch-with-session.ts';
import { backendUrl } from './backend.ts';
import { getCurrentSession } from './current-session.ts';
import {
  changeTimeoutMs,
  type Deadline,
  fetchHeaders,
  fetchWhole,
  timeoutFor,
  withDeadline,
} from './deadline.ts';
import {
  ApiError,
  fromErrorBody,
  fromErrorResponse,
  networkError,
  shapeError,
  timeoutCode,
} from './errors.ts';
import { findField, isObject, tryParseJson } from './json.ts';

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** @param bytes number of bytes of a file received so far */
  readonly onProgress?: (bytes: number) => void;
}

type CallResult<Name extends FunctionName> = Name extends DownloadName ? Blob : FunctionOutput<Name>;

const interruptedMessage = 'The download was interrupted, so no file was saved. Try again.';

/**
 * Calls a function as the signed-in user. A large file takes longer than any time limit, so for a download the limit
 * applies to the time without a byte.
 *
 * @returns the object of the response, whose fields are not checked, or the complete file
 * @throws ApiError 401 `Not authenticated` without a session, and of the kind `network` if it could not be refreshed
 * @throws ApiError if the function rejects the call, or a successful response has an `error` field. `success: false`
 *   is not an error: it means that only the email failed.
 * @throws ApiError of the kind `shape` if a successful response has no object
 * @throws AbortError if `signal` is aborted
 */
export const callFunction = <Name extends FunctionName>(
  name: Name,
  input: FunctionInput<Name>,
  { signal, onProgress }: CallOptions = {},
): Promise<CallResult<Name>> => {
  const isDownload = functions[name].effect === 'download';
  const url = `${backendUrl}/functions/v1/${name}`;
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  };
  const timeoutMs = isDownload ? changeTimeoutMs : timeoutFor(url, init);
  return withDeadline(timeoutMs, signal, async (deadline) => {
    if ((await getCurrentSession()) === null)
      throw new ApiError({ kind: 'auth', status: 401, message: 'Not authenticated' });
    const fetchResponse = isDownload ? fetchHeaders : fetchWhole;
    const response = await sendWithSession(deadline, url, init, fetchResponse).catch((cause: unknown) => {
      throw cause instanceof ApiError ? cause : networkError(cause);
    });
    const result = isDownload ? await readFile(response, deadline, onProgress) : await readObject(response);
    return result as CallResult<Name>;
  });
};

/** The messages of the published client, for error responses without one. */
const relayMessage = 'Relay Error invoking the Edge Function';
const rejectedMessage = 'Edge Function returned a non-2xx status code';

const readObject = async (response: Response): Promise<object> => {
  if (response.headers.get('x-relay-error') === 'true')
    throw new ApiError({ kind: 'function', message: relayMessage });
  if (!response.ok) throw await fromErrorResponse('function', response, rejectedMessage);
  const body = tryParseJson(await response.text());
  if (Boolean(findField(body, 'error')) && findField(body, 'success') !== false)
    throw fromErrorBody('function', 200, body, 'The function reported an error.');
  if (isObject(body)) return body;
  throw shapeError();
};

const readFile = async (
  response: Response,
  deadline: Deadline,
  onProgress?: (bytes: number) => void,
): Promise<Blob> => {
  if (!response.ok) throw await fromErrorResponse('function', response);
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      deadline.restart();
      bytes += chunk.byteLength;
      onProgress?.(bytes);
      controller.enqueue(chunk);
    },
  });
  const type = response.headers.get('Content-Type') ?? '';
  const file = new Response(response.body?.pipeThrough(count), { headers: { 'Content-Type': type } });
  return file.blob().catch((cause: unknown) => {
    if (deadline.signal.aborted || (cause instanceof ApiError && cause.code === timeoutCode)) throw cause;
    // The service closes the connection if it cannot complete the file.
    throw new ApiError({ kind: 'network', status: response.status, message: interruptedMessage, cause });
  });
};
