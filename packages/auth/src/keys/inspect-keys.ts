/** Checks the stored keys for an operator, without creating any. */
import { type Database, sql } from '@lanternrock/postgres';
import { canDecryptFactor, type TotpFactor } from '../factors/totp.ts';
import type { KeySettings } from '../settings.ts';
import { hasSecretsKey, openSecretStore, requireSecretsKey, signingKeysName } from './secret-store.ts';

/**
 * Returns the time at which the stored signing keys were generated or rotated, after decrypting them.
 *
 * @returns null if there are none yet
 * @throws OperationalError if SECRETS_KEY is missing or another one
 */
export async function findSigningKeysChange(config: KeySettings, database: Database): Promise<Date | null> {
  requireSecretsKey(config);
  const store = openSecretStore(config, database);
  const changedAt = await store.findChange(signingKeysName);
  if (changedAt) await store.read(signingKeysName);
  return changedAt;
}

/** Counts the authenticator apps in use, and those with a secret that was encrypted with another key. */
export async function countAuthenticatorApps(
  config: KeySettings,
  database: Database,
): Promise<{ total: number; undecryptable: number }> {
  const factors = await database.query<TotpFactor>(
    sql`select id, secret from auth.mfa_factors where factor_type = 'totp' and status = 'verified'`,
  );
  const total = factors.length;
  if (total === 0 || !hasSecretsKey(config)) return { total, undecryptable: total };
  const { encryptor } = openSecretStore(config, database);
  return { total, undecryptable: factors.filter((factor) => !canDecryptFactor(encryptor, factor)).length };
}
