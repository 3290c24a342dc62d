/** The keys: there, readable with the present SECRETS_KEY, and how old. Makes none. */
import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import { canDecryptFactor, type TotpFactor } from '../auth/factors/totp.ts';
import type { Config } from '../config/settings.ts';
import { hasSecretsKey, openSecretStore, requireSecretsKey, signingKeysName } from '../keys/secret-store.ts';
import { failed, ok, warning, errorMessage, type CheckResult } from './check-result.ts';

/** Days after which a new signing key is due. */
const longestUse = 365;

export async function checkKeys(config: Config, database: Database, now: Date): Promise<CheckResult> {
  if (config.SIGNING_KEYS) return ok('keys', 'the signing keys come from the settings');
  try {
    requireSecretsKey(config);
    const changedAt = await lastChange(config, database);
    if (!changedAt) return warning('keys', 'no keys yet', 'The first start makes them.');
    await openSecretStore(config, database).read(signingKeysName);
    const days = Math.floor((now.getTime() - changedAt.getTime()) / 86_400_000);
    const told = `the signing key is ${days} days old`;
    return days > longestUse ? warning('keys', told, 'lanternrock keys rotate') : ok('keys', told);
  } catch (error) {
    return failed('keys', errorMessage(error), 'Set the SECRETS_KEY with which this instance was set up.');
  }
}

/** Second factors are sealed with SECRETS_KEY, which a backup does not hold. */
export async function checkFactors(config: Config, database: Database): Promise<CheckResult> {
  const factors = await database.query<TotpFactor>(
    sql`select id, secret from auth.mfa_factors where factor_type = 'totp' and status = 'verified'`,
  );
  if (factors.length === 0) return ok('second factors', 'nobody uses an authenticator app');
  const lost = hasSecretsKey(config) ? unreadable(factors, config, database) : factors.length;
  const of = `${factors.length} authenticator ${factors.length === 1 ? 'app' : 'apps'}`;
  if (lost === 0) return ok('second factors', `the key opens ${of}`);
  const advice =
    'Put the keys/secrets.key (or the SECRETS_KEY) of the instance that made the backup back, then start again.';
  return failed('second factors', `${lost} of ${of} cannot be opened with this key`, advice);
}

function unreadable(factors: readonly TotpFactor[], config: Config, database: Database): number {
  const { encryptor } = openSecretStore(config, database);
  return factors.filter((factor) => !canDecryptFactor(encryptor, factor)).length;
}

/** When the signing keys were made or rotated; null when there are none. */
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
