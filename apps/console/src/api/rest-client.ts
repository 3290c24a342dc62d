/**
 * The postgrest-js client of the Data API, typed by the rows of the contract. Not part of the initial bundle.
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import type * as rows from '@lanternrock/contract/rows';
import { backendUrl, dataFetch } from './auth.ts';

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

/** `retry` is off because TanStack Query retries failed reads. */
export const backend = new PostgrestClient<Database>(`${backendUrl}/rest/v1`, {
  fetch: dataFetch,
  retry: false,
});
