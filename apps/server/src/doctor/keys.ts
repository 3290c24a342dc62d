/** Checks that keys exist, can be decrypted with SECRETS_KEY, and are not too old. Creates none. */
import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import { canDecryptFactor, type TotpFactor } from '@lanternrock/auth/totp';
import type { Config } from '../config/settings.ts';
import {
  hasSecretsKey,
  openSecretStore,
  requireSecretsKey,
  signingKeysName,
} from '@lanternrock/auth/secret-store';
import { failed, ok, warning, errorMessage, type CheckResult } from './check-result.ts';

const maxSigningKeyAgeDays = 365;

export async function checkKeys(config: Config, database: Database, now: Date): Promise<CheckResult> {
  if (config.SIGNING_KEYS) return ok('keys', 'the signing keys come from the settings');
  try {
    requireSecretsKey(config);
    const changedAt = await lastChange(config, database);
    if (!changedAt) return warning('keys', 'no keys yet', 'Start the service to create them.');
    await openSecretStore(config, database).read(signingKeysName);
    const days = Math.floor((now.getTime() - changedAt.getTime()) / 86_400_000);
    const message = `the signing key is ${days} days old`;
    return days > maxSigningKeyAgeDays
      ? warning('keys', message, 'Run "lanternrock keys rotate".')
      : ok('keys', message);
  } catch (error) {
    return failed('keys', errorMessage(error), 'Set SECRETS_KEY to the key of this instance.');
  }
}

/**
 * Checks that second factors can be decrypted. They are encrypted with SECRETS_KEY, which a backup does not contain.
 */
export async function checkFactors(config: Config, database: Database): Promise<CheckResult> {
  const factors = await database.query<TotpFactor>(
    sql`select id, secret from auth.mfa_factors where factor_type = 'totp' and status = 'verified'`,
  );
  if (factors.length === 0) return ok('second factors', 'no authenticator apps in use');
  const lost = hasSecretsKey(config) ? countUndecryptable(factors, config, database) : factors.length;
  const total = `${factors.length} authenticator ${factors.length === 1 ? 'app' : 'apps'}`;
  if (lost === 0) return ok('second factors', `${total} can be decrypted`);
  const fix =
    'Restore keys/secrets.key (or SECRETS_KEY) of the instance that wrote the backup and start the service again.';
  return failed('second factors', `${lost} of ${total} cannot be decrypted with this key`, fix);
}

function countUndecryptable(factors: readonly TotpFactor[], config: Config, database: Database): number {
  const { encryptor } = openSecretStore(config, database);
  return factors.filter((factor) => !canDecryptFactor(encryptor, factor)).length;
}

/** Returns the time at which the signing keys were created or rotated, or null if there are none. */
async function lastChange(config: Config, database: Database): Promise<Date | null> {
  if (database.engine === 'embedded' || !config.MIGRATE) {
    const file = path.join(config.DATA_DIR, 'keys', signingKeysName);
    return fs.existsSync(file) ? fs.statSync(file).mtime : null;
  }
  const [row] = await database.query<{ at: Date }>(
    sql`select updated_at as at from auth.service_secrets where name = ${signingKeysName}`,
  );
  return row?.at ?? null;
}
