/**
 * The client of the Data API, typed by the rows of the contract. A failed request rejects with an `ApiError` if the call
 * ends with `throwOnError`; without it, the compiler does not accept the data:
 *
 *     const { data: rows } = await data.from('accounts').select('*').throwOnError();
 */
import { sessionEndedMessage } from '@lanternrock/contract/session-errors';
import type * as rows from '@lanternrock/contract/rows';
import { PostgrestClient } from '@supabase/postgrest-js';
import { fetchWithSession } from './fetch-with-session.ts';
import { backendUrl } from './backend.ts';
import { getCurrentSession } from './current-session.ts';
import {
  ApiError,
  fromErrorResponse,
  isJsonObject,
  networkError,
  shapeError,
  unreadableMessage,
} from './errors.ts';
import { isObject, tryParseJson } from './json.ts';

// The client's types require an index signature. An interface has none; a mapped type does.
type Columns<Row> = { -readonly [Name in keyof Row]: Row[Name] };

interface Relationship {
  foreignKeyName: string;
  columns: string[];
  isOneToOne: boolean;
  referencedRelation: string;
  referencedColumns: string[];
}

interface Table<Row, Relationships extends Relationship[] = []> {
  Row: Columns<Row>;
  Insert: Partial<Columns<Row>>;
  Update: Partial<Columns<Row>>;
  Relationships: Relationships;
}

interface MembershipToAccount extends Relationship {
  foreignKeyName: 'account_members_account_id_fkey';
  columns: ['account_id'];
  isOneToOne: false;
  referencedRelation: 'accounts';
  referencedColumns: ['id'];
}

interface Database {
  public: {
    Tables: {
      profiles: Table<rows.ProfileRow>;
      accounts: Table<rows.AccountRow>;
      user_roles: Table<rows.UserRoleRow>;
      account_members: Table<rows.AccountMemberRow, [MembershipToAccount]>;
      user_invitations: Table<rows.InvitationRow>;
      notification_settings: Table<rows.NotificationSettingsRow>;
    };
    Views: { [Name in never]: never };
    Functions: { [Name in never]: never };
  };
}

/** Returns true if the body of a successful response is JSON, with rows if the request expects rows. */
const hasExpectedBody = (text: string, { method = 'GET', headers }: RequestInit = {}): boolean => {
  const requestHeaders = new Headers(headers);
  const expectsRows =
    method === 'GET' || requestHeaders.get('Prefer')?.includes('return=representation') === true;
  if (!expectsRows && text === '') return true;
  const body = tryParseJson(text);
  if (!expectsRows) return body !== undefined;
  const isRow = requestHeaders.get('Accept')?.includes('pgrst.object') === true;
  return isRow ? isObject(body) : Array.isArray(body);
};

/** @throws ApiError for every response without the rows that the request expects */
const dataFetch: typeof fetch = async (input, init) => {
  const response = await fetchWithSession(input, init).catch((cause: unknown) => {
    throw networkError(cause);
  });
  const text = await response.clone().text();
  // postgrest-js treats this as an empty list.
  if (response.status === 404 && (text === '' || Array.isArray(tryParseJson(text))))
    return new Response('[]');
  if (response.status === 401 && (await getCurrentSession()) === null) {
    // The message of the Data API is meant for developers.
    throw new ApiError({ kind: 'auth', status: 401, message: sessionEndedMessage });
  }
  if (!response.ok)
    throw await fromErrorResponse('data', response, isJsonObject(text) ? unreadableMessage : undefined);
  if (!hasExpectedBody(text, init)) throw shapeError(response.status);
  return response;
};

/** `retry` is off because TanStack Query retries failed reads. */
export const data = new PostgrestClient<Database>(`${backendUrl}/rest/v1`, {
  fetch: dataFetch,
  retry: false,
});
