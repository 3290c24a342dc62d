/** TOTP (RFC 6238): SHA-1, 6 digits, 30 s, a tolerance of one step; each code works once. */
import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { DecryptionError, type Encryptor } from '../keys/encryption.ts';
import type { FactorRow } from './factor-records.ts';

const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

export interface TotpEnrollment {
  readonly encryptedSecret: Uint8Array;
  /** For the client. The secret is never returned again. */
  readonly details: { readonly qr_code: string; readonly secret: string; readonly uri: string };
}

const encryptionContext = (factorId: string): string => `totp:${factorId}`;

export function createTotpEnrollment(
  encryptor: Encryptor,
  factorId: string,
  issuer: string,
  label: string,
): TotpEnrollment {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ ...parameters, issuer, label, secret }).toString();
  return {
    encryptedSecret: encryptor.encrypt(secret.bytes, encryptionContext(factorId)),
    details: { qr_code: renderQrCode(uri), secret: secret.base32, uri },
  };
}

/** Returns an SVG document without `#` and `%`, so that it can be used in a data URL without escaping. */
function renderQrCode(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  const size = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="white" d="M0 0h${size}v${size}H0z"/><path fill="black" d="${path}"/></svg>`
  );
}

/** @throws AuthError 422 `mfa_factor_unreadable` if the secret was encrypted with another key */
function decryptSecret(encryptor: Encryptor, { id, secret }: TotpFactor): Secret {
  try {
    const bytes = Buffer.from(encryptor.decrypt(secret, encryptionContext(id)));
    return new Secret({ buffer: new Uint8Array(bytes).buffer });
  } catch (error) {
    if (error instanceof DecryptionError) throw unreadableFactorError(error);
    throw error;
  }
}

/** Returns true if the secret of a factor can be decrypted with the current key. */
export function canDecryptFactor(encryptor: Encryptor, factor: TotpFactor): boolean {
  try {
    decryptSecret(encryptor, factor);
    return true;
  } catch {
    return false;
  }
}

const unreadableFactorError = (cause: unknown): AuthError =>
  new AuthError(
    422,
    'mfa_factor_unreadable',
    'The service cannot check authenticator apps and recovery codes, because its encryption key has changed. Use a security key, sign in again with a passkey, or ask another administrator to remove your second factor.',
    { cause },
  );

/**
 * Rejects recovery codes that cannot be checked. They are hashed under the same key as the secrets of authenticator
 * apps, but a changed key cannot be distinguished from a wrong code.
 *
 * @throws AuthError 422 `mfa_factor_unreadable` if the user's newest app was encrypted with another key
 */
export async function requireDecryptableFactors(
  tx: Transaction,
  encryptor: Encryptor,
  userId: string,
): Promise<void> {
  // A new enrollment uses the current key, so the newest app has the most recent key.
  const [app] = await tx.query<TotpFactor>(
    sql`select id, secret from auth.mfa_factors
        where user_id = ${userId} and factor_type = 'totp' and status = 'verified'
        order by created_at desc limit 1`,
  );
  if (app) decryptSecret(encryptor, app);
}

export interface TotpFactor {
  readonly id: string;
  readonly secret: Uint8Array;
}

/**
 * Checks a code, and records its time step, so that it works once.
 *
 * @returns false for a wrong or used code
 * @throws AuthError 422 `mfa_factor_unreadable`
 */
export async function consumeTotpCode(
  tx: Transaction,
  { keys, now }: Pick<AuthContext, 'keys' | 'now'>,
  { id, secret, last_used_step }: FactorRow,
  code: string,
): Promise<boolean> {
  if (!secret) return false;
  const step = matchTotpStep(keys, { id, secret }, code, await now(tx));
  if (step === null || step <= Number(last_used_step ?? -1)) return false;
  await tx.query(sql`update auth.mfa_factors set last_used_step = ${step} where id = ${id}`);
  return true;
}

/** @returns the time step of the code, null for a wrong code */
function matchTotpStep(encryptor: Encryptor, factor: TotpFactor, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = decryptSecret(encryptor, factor);
  const timestamp = now.getTime();
  const delta = new TOTP({ ...parameters, secret }).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta;
}
