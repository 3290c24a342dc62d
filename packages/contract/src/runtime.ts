/**
 * Optional features of a backend. The console uses a feature only if the runtime configuration lists it, and
 * sends no request to detect it.
 */
export const features = [
  /**
   * The Lanternrock service: its functions, its columns and rules of tables, the header `Idempotency-Key`, and its
   * additions to the Auth API. `docs/hosted-supabase.md` lists what the console lacks without it.
   */
  'extensions',
  /** Passkeys, as sign-in method and in the list of the user. The service has them unless PASSKEYS is off. */
  'passkeys',
  /** The service has no mail server: it saves emails in its local mailbox and sends none. */
  'local-mailbox',
  /** The data is invented: `lanternrock demo` has added it. The console says so on every screen. */
  'demonstration',
  /** `GET /auth/v1/settings` of Supabase Auth: which providers and second factors are enabled. */
  'auth-settings',
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
  /** Seconds for which the link of an invitation is valid unless it has other terms; 0 if unknown. */
  readonly invitationSeconds: number;
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
