/**
 * Optional features of a backend. The console uses a feature only if the runtime configuration lists it, and
 * sends no request to detect it.
 */
export const features = [
  /**
   * Without the role platform_admin a user reads only the accounts of their own memberships and creates none.
   */
  'administrators-only',
  /** `GET /auth/v1/settings`: which providers and factors are enabled. */
  'auth-settings',
  /** Six-digit codes in emails, in place of their links. */
  'email-codes',
  /** Passkeys, as sign-in method and in the list of the user. */
  'passkeys',
  /** Single-use codes that replace a lost second factor. */
  'recovery-codes',
  /** `PUT /auth/v1/user` stores the full name, and verifies `current_password` or `nonce`. */
  'profile',
  /** `GET` and `DELETE /auth/v1/user/sessions`. */
  'session-list',
  /** `GET /auth/v1/user/sign-in-methods`, and `keep_sign_in_methods` of `PUT /auth/v1/user`. */
  'sign-in-methods',
  /** Function `session-watch`: responds when the session is revoked. */
  'session-watch',
  /** Function `export-accounts`, and the computed column `name_key` of accounts, by which names sort. */
  'account-view',
  /** Header `Idempotency-Key` on inserts, updates and functions that change something. */
  'idempotency-keys',
  /** Functions `invitation-history` and `create-invitation-link`; columns `last_sent_at` and `send_count`. */
  'invitation-history',
  /** Function `set-invitation-terms`; `terms`, `invited_by` and `inviter` in the response of `invitation-history`. */
  'invitation-terms',
  /** Functions `plan-invitations` and `invite-list`. */
  'invitation-lists',
  /** Function `unsent-invitations`. */
  'unsent-invitations',
  /**
   * Functions `revoke-user-invitation`, `remove-administrator`, `restore-administrator` and
   * `reset-administrator-factors`; `second_factor` in the response of `invitation-history`.
   */
  'administrator-actions',
  /**
   * Functions `administrators`, `administrator-details`, `set-administrator-end` and `end-administrator-sessions`; column
   * `ends_at` of `user_roles`.
   */
  'administrator-access',
  /** Functions `second-factor-demand` and `set-second-factor-demand`. */
  'second-factor-demand',
  /** Functions `check-sender-domain` and `send-test-mail`. */
  'email-delivery',
  /** Administrators update accounts, and `updated_at` changes with every save; function `account-details`. */
  'account-edit',
  /** Function `set-account-status`. */
  'account-status',
  /** Functions `list-activity`, `list-activity-people` and `export-activity`. */
  'activity',
  /** Function `notification-settings-author`. */
  'settings-author',
  /** Functions `handover`, `confirm-handover` and `handover-sheet`. */
  'handover',
  /** Computed columns `search_text` and `place_text` of accounts, folded by the rule of `fold-text.ts`. */
  'folded-search',
  /**
   * Functions `account-members`, `add-account-member`, `set-account-member`, `remove-account-member` and
   * `undo-account-member`.
   */
  'account-members',
  /** Function `import-accounts`. */
  'account-import',
  /** Function `similar-accounts`. */
  'similar-accounts',
] as const;

export type Feature = (typeof features)[number];

/** The configuration that the service writes into the documents, so that one build serves every instance. */
export interface RuntimeConfig {
  /** The product's display name. */
  readonly productName: string;
  /** Public base URL of the backend; '' for the origin of the document. */
  readonly backendUrl: string;
  /** The publishable key. */
  readonly anonKey: string;
  /** Public URL of the console; '' if it is unknown. */
  readonly siteUrl: string;
  /** ID of the build. If a response has a different one, the document is outdated. */
  readonly build: string;
  /** The features that the backend supports. */
  readonly features: readonly Feature[];
}

/** ID of the `<script type="application/json">` element with the configuration. */
export const runtimeConfigElementId = 'runtime-config';

/** Value of the request header `X-Client-Info` by which the console names itself to the audit log. */
export const consoleClientInfo = 'lanternrock-console';

/** Response header with the build ID. */
export const buildHeader = 'x-build';
