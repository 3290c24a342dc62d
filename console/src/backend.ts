/**
 * The data interface. Screens see rows and one error class, never the client's `{ data, error }`.
 *
 *     const accounts = await unwrapRows(backend.from('accounts').select('*'));
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import type * as rows from '@lanternrock/contract/rows';
import { authorizedFetch, backendUrl } from './backend-auth.ts';
import { BackendError, fromErrorBody, unreachableMessage, unreadableMessage } from './backend-error.ts';
import { sessionState } from './session/session-store.ts';

// Interfaces carry no index signature, which the client's types ask for; a mapped type does.
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

/** Typed by the contract's rows. Repeating failed reads is the query cache's business. */
export const backend = new PostgrestClient<Database>(`${backendUrl}/rest/v1`, {
  fetch: authorizedFetch,
  retry: false,
});

/** What a data call resolves to. */
interface DataAnswer<Data> {
  data: Data;
  error: { message: string; code: string; details: string; hint: string } | null;
  count: number | null;
  status: number;
}

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
  if (answer.status === 401 && sessionState().status === 'signed-out') {
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
  // Something between us and the service may answer 200 with a page of its own.
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
