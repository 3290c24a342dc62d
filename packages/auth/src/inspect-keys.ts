/** Checks the stored keys for an operator, without creating any. */
import { createHash } from 'node:crypto';
import { type Database, sql } from '@lanternrock/postgres';
import { canDecryptFactor, type TotpFactor } from './factors/totp.ts';
import type { KeySettings } from './settings.ts';
import {
  hasSecretsKey,
  openSecretStore,
  readCurrentSecretsKey,
  requireSecretsKey,
  signingKeysName,
} from './keys/secret-store.ts';
import { parseJwkSet, computeThumbprints } from './keys/signing-keys.ts';

const signingKeysSetting = 'SIGNING_KEYS';

/**
 * Returns a hash of each key that a restored instance should keep, by name. Missing keys are left out. The keys are random,
 * so a hash reveals nothing. `SIGNING_KEYS` has the hashes of the whole set, separated by spaces, first of the key that signs.
 *
 * @param database null if it has no table of keys yet
 * @param otherNames names of further stored secrets
 * @throws OperationalError if SECRETS_KEY is missing or another one
 */
export async function fingerprintKeys(
  config: KeySettings,
  database: Database | null,
  otherNames: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const store = database || config.DATABASE_URL === '' ? openSecretStore(config, database) : null;
  const keys = new Map<string, string | Uint8Array | null>([
    ['SECRETS_KEY', readCurrentSecretsKey(config)],
    ['ANON_KEY', config.ANON_KEY || ((await store?.read('anon-key')) ?? null)],
    ['SERVICE_ROLE_KEY', config.SERVICE_ROLE_KEY || ((await store?.read('service-role-key')) ?? null)],
  ]);
  for (const name of otherNames) keys.set(name, (await store?.read(name)) ?? null);
  const hash = (name: string, key: string | Uint8Array): string =>
    createHash('sha256').update(`lanternrock ${name} `).update(key).digest('base64url');
  const set = config.SIGNING_KEYS || ((await store?.read(signingKeysName)) ?? '[]');
  const thumbprints = await computeThumbprints(parseJwkSet(set, signingKeysSetting), signingKeysSetting);
  const signing = thumbprints.map((thumbprint) => hash(signingKeysSetting, thumbprint)).join(' ');
  return Object.fromEntries([
    ...[...keys].flatMap(([name, key]) => (key === null ? [] : [[name, hash(name, key)]])),
    ...(signing === '' ? [] : [[signingKeysSetting, signing]]),
  ]);
}

/**
 * Compares hashes of `fingerprintKeys`. A key that did not exist before is not a change, nor is a signing key that is still
 * accepted after a rotation.
 *
 * @returns the names of the keys of `before` that are not in `now`
 */
export function findChangedKeys(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(before).flatMap(([name, hashes]) => {
    const [first = ''] = hashes.split(' ');
    return now[name]?.split(' ').includes(first) ? [] : [name];
  });
}

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
