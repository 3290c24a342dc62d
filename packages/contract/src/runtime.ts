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
  /** Header `Idempotency-Key` on inserts. */
  'idempotency-keys',
  /** Functions `invitation-history` and `create-invitation-link`; columns `last_sent_at` and `send_count`. */
  'invitation-history',
  /** Function `unsent-invitations`. */
  'unsent-invitations',
  /**
   * Functions `revoke-user-invitation`, `remove-administrator`, `restore-administrator` and
   * `reset-administrator-factors`; `second_factor` in the response of `invitation-history`.
   */
  'administrator-actions',
  /** Functions `check-sender-domain` and `send-test-mail`. */
  'email-delivery',
  /** Function `notification-settings-author`. */
  'settings-author',
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
  /** ID of the build. If a response has a different one, the document is outdated. */
  readonly build: string;
  /** The features that the backend supports. */
  readonly features: readonly Feature[];
}

/** ID of the `<script type="application/json">` element with the configuration. */
export const runtimeConfigElementId = 'runtime-config';

/** Response header with the build ID. */
export const buildHeader = 'x-build';
