/** An expected error of the Auth API. The response contains `code` and, depending on the API version, `message` or `msg`. */
export class AuthError extends Error {
  readonly status: number;
  /** Error code of Supabase Auth, for example `validation_failed`. */
  readonly code: string;
  /** `weak_password`: the reasons; an error of an OAuth provider: what it sent. */
  readonly details: unknown;
  /** Headers of the response, for example `Retry-After` in seconds. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { details?: unknown; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AuthError';
    this.status = status;
    this.code = code;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
  }
}

export const userBannedError = (): AuthError => new AuthError(403, 'user_banned', 'User is banned');

export const passwordNotSetError = (): AuthError =>
  new AuthError(403, 'password_not_set', 'Set your password before you continue');

export const signUpDisabledError = (): AuthError =>
  new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');

export const userAlreadyExistsError = (): AuthError =>
  new AuthError(422, 'user_already_exists', 'User already registered');

export const phoneProviderDisabledError = (): AuthError =>
  new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');

export const audienceMismatchError = (): AuthError =>
  new AuthError(400, 'validation_failed', "Token audience doesn't match request audience");

export const invalidCodeError = (): AuthError =>
  new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
