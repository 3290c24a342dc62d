/**
 * Requests to the Data API. The functions return rows or throw `ApiError`; screens never handle
 * `{ data, error }`.
 *
 *     const accounts = await unwrapRows(backend.from('accounts').select('*'));
 */
import { backendUrl, dataFetch, getCurrentSession } from './auth.ts';
import { ApiError, fromErrorBody, networkError, unreadableMessage } from './errors.ts';
import type { Read } from './prefetch.ts';

/** The result of a Data API request, as in postgrest-js. */
interface DataResponse<Data> {
  data: Data;
  error: { message: string; code: string; details: string; hint: string } | null;
  count: number | null;
  status: number;
}

/**
 * Sends a read and returns the same result as postgrest-js. The initial view sends these reads only, so the
 * initial bundle does not contain postgrest-js (`rest-client.ts`).
 */
export const readCall = async <Data>(
  { path, headers }: Read,
  signal: AbortSignal,
): Promise<DataResponse<Data | null>> => {
  const noData = { data: null, count: null };
  let response: Response;
  let text: string;
  try {
    response = await dataFetch(`${backendUrl}/rest/v1${path}`, { headers, signal });
    text = await response.text();
  } catch (cause) {
    return { ...noData, status: 0, error: { message: String(cause), code: '', details: '', hint: '' } };
  }
  const { status, ok } = response;
  // Like postgrest-js, treat an empty 404 as an empty list.
  if (status === 404 && (text === '' || text === '[]'))
    return { ...noData, status, error: null, data: [] as Data };
  if (!ok) return { ...noData, status, error: JSON.parse(text) as ErrorBody };
  const total = Number.parseInt(response.headers.get('Content-Range')?.split('/')[1] ?? '', 10);
  return { data: JSON.parse(text) as Data, count: Number.isNaN(total) ? null : total, status, error: null };
};

type ErrorBody = NonNullable<DataResponse<null>['error']>;

/** Returns the response of a successful call. @throws ApiError */
const requireSuccess = async <Data>(call: PromiseLike<DataResponse<Data>>): Promise<DataResponse<Data>> => {
  let response: DataResponse<Data>;
  try {
    response = await call;
  } catch (cause) {
    throw new ApiError({ kind: 'shape', message: unreadableMessage, cause });
  }
  if (response.error === null) return response;
  // postgrest-js reports a missing response as an error with status 0.
  if (response.status === 0) throw networkError(response.error);
  // A proxy sent a page with a success status; postgrest-js returns its text as the error message.
  if (response.status < 300) throw new ApiError({ kind: 'shape', message: unreadableMessage });
  if (response.status === 401 && (await getCurrentSession()) === null) {
    // The same text as in the Functions API. The message of the Data API is meant for developers.
    const message = 'Your session has ended. Sign in again.';
    throw new ApiError({ kind: 'auth', status: 401, message, cause: response.error });
  }
  throw fromErrorBody('data', response.status, response.error, unreadableMessage);
};

/** Returns the data of a call that always returns data. @throws ApiError */
export const unwrap = async <Data>(call: PromiseLike<DataResponse<Data>>): Promise<NonNullable<Data>> => {
  const { data, status } = await requireSuccess(call);
  if (data === null || data === undefined) {
    throw new ApiError({ kind: 'shape', status, message: unreadableMessage });
  }
  return data;
};

/** Like `unwrap`, for calls without a guaranteed row: `maybeSingle()` and writes that return no row. */
export const unwrapMaybe = async <Data>(call: PromiseLike<DataResponse<Data>>): Promise<Data> =>
  (await requireSuccess(call)).data;

/**
 * Returns the rows of a list.
 *
 * @returns `count`: total number of rows, or null if the call requested no count
 * @throws ApiError
 */
export const unwrapCounted = async <Row>(
  call: PromiseLike<DataResponse<Row[] | null>>,
): Promise<{ rows: Row[]; count: number | null }> => {
  const { data, count, status } = await requireSuccess(call);
  // postgrest-js reports an empty 404 like this. It means an empty list.
  if (data === null && status === 204) return { rows: [], count: 0 };
  if (!Array.isArray(data)) throw new ApiError({ kind: 'shape', status, message: unreadableMessage });
  return { rows: data, count };
};

/** Returns the rows of a list. @throws ApiError */
export const unwrapRows = async <Row>(call: PromiseLike<DataResponse<Row[] | null>>): Promise<Row[]> =>
  (await unwrapCounted(call)).rows;

/** Returns the number of rows that a write with `{ count: 'exact' }` changed. @throws ApiError */
export const unwrapAffected = async (call: PromiseLike<DataResponse<unknown>>): Promise<number> => {
  const { count, status } = await requireSuccess(call);
  if (count === null) throw new ApiError({ kind: 'shape', status, message: unreadableMessage });
  return count;
};
