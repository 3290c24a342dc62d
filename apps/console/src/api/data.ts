/**
 * Calls of the data interface and their responses. Screens see rows and one error class, never `{ data, error }`.
 *
 *     const accounts = await unwrapRows(backend.from('accounts').select('*'));
 */
import { backendUrl, dataFetch, getCurrentSession } from './auth.ts';
import { BackendError, fromErrorBody, unreachableMessage, unreadableMessage } from './errors.ts';
import type { Read } from './prefetch.ts';

/** What a data call resolves to. */
interface DataAnswer<Data> {
  data: Data;
  error: { message: string; code: string; details: string; hint: string } | null;
  count: number | null;
  status: number;
}

/**
 * Sends a read that is data, with the same result as a call of the client. The first view needs no other
 * calls, so the client's code (backend-client.ts) is not part of it.
 */
export const readCall = async <Data>(
  { path, headers }: Read,
  signal: AbortSignal,
): Promise<DataAnswer<Data | null>> => {
  const failed = { data: null, count: null };
  let response: Response;
  let text: string;
  try {
    response = await dataFetch(`${backendUrl}/rest/v1${path}`, { headers, signal });
    text = await response.text();
  } catch (cause) {
    return { ...failed, status: 0, error: { message: String(cause), code: '', details: '', hint: '' } };
  }
  const { status, ok } = response;
  // A list that is not there has no rows.
  if (status === 404 && (text === '' || text === '[]'))
    return { ...failed, status, error: null, data: [] as Data };
  if (!ok) return { ...failed, status, error: JSON.parse(text) as ErrorBody };
  const total = Number.parseInt(response.headers.get('Content-Range')?.split('/')[1] ?? '', 10);
  return { data: JSON.parse(text) as Data, count: Number.isNaN(total) ? null : total, status, error: null };
};

type ErrorBody = NonNullable<DataAnswer<null>['error']>;

const settle = async <Data>(call: PromiseLike<DataAnswer<Data>>): Promise<DataAnswer<Data>> => {
  let answer: DataAnswer<Data>;
  try {
    answer = await call;
  } catch (cause) {
    throw new BackendError({ kind: 'shape', message: unreadableMessage, cause });
  }
  if (answer.error === null) return answer;
  // The client reports "no answer came" as an error with status 0.
  if (answer.status === 0) {
    throw new BackendError({ kind: 'network', message: unreachableMessage, cause: answer.error });
  }
  // A page that something in between sent with a success status; the client hands its text on as the message.
  if (answer.status < 300) throw new BackendError({ kind: 'shape', message: unreadableMessage });
  if (answer.status === 401 && (await getCurrentSession()) === null) {
    // As the server functions say it; the refusal's own words are for programs.
    const message = 'Your session has ended. Sign in again.';
    throw new BackendError({ kind: 'auth', status: 401, message, cause: answer.error });
  }
  throw fromErrorBody('data', answer.status, answer.error, unreadableMessage);
};

/** The answer of a data call. @throws BackendError */
export const unwrap = async <Data>(call: PromiseLike<DataAnswer<Data>>): Promise<NonNullable<Data>> => {
  const { data, status } = await settle(call);
  if (data === null || data === undefined) {
    throw new BackendError({ kind: 'shape', status, message: unreadableMessage });
  }
  return data;
};

/** As `unwrap` for calls that may find nothing: `maybeSingle()`, and writes that return no row. */
export const unwrapMaybe = async <Data>(call: PromiseLike<DataAnswer<Data>>): Promise<Data> =>
  (await settle(call)).data;

/** Rows of a list and, where the call asked for a count, how many there are. @throws BackendError */
export const unwrapCounted = async <Row>(
  call: PromiseLike<DataAnswer<Row[] | null>>,
): Promise<{ rows: Row[]; count: number | null }> => {
  const { data, count, status } = await settle(call);
  // An empty 404, which the client reports so: an empty list (specification section 7).
  if (data === null && status === 204) return { rows: [], count: 0 };
  if (!Array.isArray(data)) throw new BackendError({ kind: 'shape', status, message: unreadableMessage });
  return { rows: data, count };
};

/** Rows of a list. @throws BackendError */
export const unwrapRows = async <Row>(call: PromiseLike<DataAnswer<Row[] | null>>): Promise<Row[]> =>
  (await unwrapCounted(call)).rows;

/** How many rows a write with `{ count: 'exact' }` touched. @throws BackendError */
export const unwrapAffected = async (call: PromiseLike<DataAnswer<unknown>>): Promise<number> => {
  const { count, status } = await settle(call);
  if (count === null) throw new BackendError({ kind: 'shape', status, message: unreadableMessage });
  return count;
};
