/** Returns the message of a thrown value. */
export const toErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The codes of expected errors, with the HTTP status of the Functions API. */
export const domainErrorStatuses = {
  bad_json: 400,
  invalid_expiry: 400,
  invalid_idempotency_key: 400,
  invalid_phone: 400,
  membership_end_in_past: 400,
  role_end_in_past: 400,
  validation_failed: 400,
  not_authenticated: 401,
  session_not_found: 401,
  insufficient_aal: 403,
  membership_outlasts_role: 403,
  not_platform_admin: 403,
  own_membership: 403,
  own_second_factor: 403,
  administrator_too_new: 403,
  role_end_not_allowed: 403,
  role_ended: 403,
  second_factor_missing: 403,
  second_factor_required: 403,
  password_not_set: 403,
  user_banned: 403,
  account_not_found: 404,
  import_not_found: 404,
  no_invitation: 404,
  no_member: 404,
  no_open_invitation: 404,
  no_second_factor: 404,
  no_user: 404,
  not_administrator: 404,
  not_found: 404,
  not_removed: 404,
  session_gone: 404,
  method_not_allowed: 405,
  account_changed: 409,
  already_administrator: 409,
  already_invited: 409,
  contacts_changed: 409,
  idempotency_key_reused: 409,
  outcome_unknown: 409,
  invitation_ended: 409,
  already_member: 409,
  last_administrator: 409,
  link_not_allowed: 409,
  membership_ended: 409,
  no_email: 409,
  not_invitable: 409,
  status_not_allowed: 409,
  not_undoable: 409,
  request_entity_too_large: 413,
  unsupported_media_type: 415,
  over_email_send_rate_limit: 429,
  resend_cooldown: 429,
  call_running: 503,
  conflict: 503,
  database_timeout: 503,
  database_full: 503,
  database_unavailable: 503,
} as const;
export type DomainErrorCode = keyof typeof domainErrorStatuses;

/**
 * An expected error of an action of the product. The Functions API responds with the status of the code, and the CLI
 * prints the message.
 */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  /** Seconds until the action can succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: DomainErrorCode,
    message: string,
    options: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const membershipEndInPastError = (): DomainError =>
  new DomainError('membership_end_in_past', 'This time has passed. Select a time in the future.');

export const accountNotFoundError = (): DomainError =>
  new DomainError('account_not_found', 'This account does not exist.');

export const invitationNotFoundError = (): DomainError =>
  new DomainError('no_invitation', 'Invitation not found.');

export const noOpenInvitationError = (email: string): DomainError =>
  new DomainError('no_open_invitation', `There is no pending invitation for ${email}.`);

export const noUserError = (email: string): DomainError =>
  new DomainError('no_user', `No user has the email ${email}.`);
