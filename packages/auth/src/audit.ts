/** Writes audit log entries of the Auth API, in the transaction of the action. An entry never contains a secret. */
import { type Transaction, sql } from '@lanternrock/postgres';
import type { ClientInfo } from './client-info.ts';

const logTypes = {
  login: 'account',
  login_failed: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_reauthenticated: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
  token_reused: 'token',
  factor_in_progress: 'factor',
  factor_added: 'factor',
  factor_unenrolled: 'factor',
  factor_deleted: 'factor',
  factor_updated: 'factor',
  factors_reset: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  recovery_codes_generated: 'recovery_codes',
  recovery_codes_deleted: 'recovery_codes',
  identity_linked: 'account',
  identity_unlinked: 'account',
  passkey_created: 'account',
  passkey_updated: 'account',
  passkey_deleted: 'account',
} as const;

type AuditAction = keyof typeof logTypes;

export interface AuditEntry {
  readonly action: AuditAction;
  /** Null for clients with the secret key and for unknown users. */
  readonly actor: { readonly id: string; readonly email: string | null } | null;
  readonly client: ClientInfo;
  readonly traits?: Readonly<Record<string, unknown>>;
}

export async function writeAuditEntry(
  tx: Transaction,
  { action, actor, client, traits }: AuditEntry,
): Promise<void> {
  const payload = {
    action,
    actor_id: actor?.id ?? null,
    actor_username: actor?.email ?? '',
    actor_via_sso: false,
    log_type: logTypes[action],
    request_id: client.requestId,
    traits,
  };
  // Triggers of the product read the origin and the request. A command has set them before.
  await tx.query(sql`insert into auth.audit_log_entries (payload, ip_address)
    select ${JSON.stringify(payload)}::jsonb, ${client.ip}
      where set_config(
        'request.origin', coalesce(nullif(current_setting('request.origin', true), ''), ${client.origin ?? ''}), true
      ) is not null
      and set_config(
        'request.id', coalesce(nullif(current_setting('request.id', true), ''), ${client.requestId}), true
      ) is not null`);
}
