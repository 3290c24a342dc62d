/**
 * The client of the Data API, typed by the rows of the contract. A failed request rejects with an `ApiError` if the call
 * ends with `throwOnError`; without it, the compiler does not accept the data:
 *
 *     const { data: rows } = await data.from('accounts').select('*').throwOnError();
 */
import type * as rows from '@lanternrock/contract/rows';
import { PostgrestClient } from '@supabase/postgrest-js';
import { fetchWithSession } from './fetch-with-session.ts';
import { backendUrl, getCurrentSession } from './current-session.ts';
import {
  ApiError,
  fromErrorResponse,
  isJsonObject,
  networkError,
  shapeError,
  unreadableMessage,
} from './errors.ts';
import { tryParseJson } from './json.ts';

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

/** Returns true if a successful response has the rows that the request asks for, and nothing but JSON. */
const isExpected = (text: string, { method = 'GET', headers }: RequestInit = {}): boolean => {
  const sent = new Headers(headers);
  const asksForRows = method === 'GET' || sent.get('Prefer')?.includes('return=representation') === true;
  if (!asksForRows && text === '') return true;
  const body = tryParseJson(text);
  if (!asksForRows) return body !== undefined;
  const isRow = sent.get('Accept')?.includes('pgrst.object') === true;
  return isRow ? typeof body === 'object' && body !== null : Array.isArray(body);
};

/** @throws ApiError for every response without the rows that the request asks for */
const dataFetch: typeof fetch = async (input, init) => {
  const response = await fetchWithSession(input, init).catch((cause: unknown) => {
    throw networkError(cause);
  });
  const text = await response.clone().text();
  // As in PostgREST's own client, an empty list.
  if (response.status === 404 && (text === '' || Array.isArray(tryParseJson(text))))
    return new Response('[]');
  if (response.status === 401 && (await getCurrentSession()) === null) {
    // The same text as in the Functions API. The message of the Data API is meant for developers.
    const message = 'Your session has ended. Sign in again.';
    throw new ApiError({ kind: 'auth', status: 401, message });
  }
  if (!response.ok)
    throw await fromErrorResponse('data', response, isJsonObject(text) ? unreadableMessage : undefined);
  if (!isExpected(text, init)) throw shapeError(response.status);
  return response;
};

/** `retry` is off because TanStack Query retries failed reads. */
export const data = new PostgrestClient<Database>(`${backendUrl}/rest/v1`, {
  fetch: dataFetch,
  retry: false,
});
