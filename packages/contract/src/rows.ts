/** Rows of the product tables as the Data API returns them. Times are RFC 3339. */
import type { AccountType } from './account-types.ts';

export interface ProfileRow {
  readonly id: string;
  readonly full_name: string | null;
  /** E.164. Missing with other backends. */
  readonly phone?: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly account_type: AccountType;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  /** `active` for new accounts. See `account-status.ts`; stored rows can have other words. */
  readonly status: string;
  /** Number of members with status `active`, maintained by the database. */
  readonly active_members: number;
  /**
   * Folded spellings of the names, email addresses and digits of the phone numbers of the contacts, maintained by the database;
   * null without contacts. Missing with other backends.
   */
  readonly contact_text?: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  /** Changes with every save, in microseconds. */
  readonly updated_at: string;
  readonly updated_by: string | null;
}

export interface UserRoleRow {
  readonly id: string;
  readonly user_id: string;
  readonly role: 'platform_admin';
  readonly created_at: string;
  /** End of the role, or null. Missing with other backends. */
  readonly ends_at?: string | null;
  /** ID of the administrator who gave the role. */
  readonly granted_by?: string | null;
}

export interface AccountMemberRow {
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly status: string;
  readonly created_at: string;
  /** End date of the membership, or null. Missing with other backends. */
  readonly ends_at?: string | null;
}

export interface InvitationRow {
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly invited_at: string;
  /** `pending`, `accepted`, `expired`, `revoked` or another text. */
  readonly status: string;
  readonly expires_at: string;
  readonly last_sent_at: string | null;
  readonly send_count: number;
}

export interface NotificationSettingsRow {
  readonly id: string;
  /** Our service stores no null here; another backend can. */
  readonly sender_email: string | null;
  readonly sender_name: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

export interface AccountContactRow {
  readonly id: string;
  readonly account_id: string;
  readonly position: number;
  readonly name: string;
  readonly role: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly email: string | null;
  readonly note: string | null;
}
