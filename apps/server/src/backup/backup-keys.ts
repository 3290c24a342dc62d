/** The keys of an instance in a backup: hashes, which a restore compares with those of the new instance. */
import { findChangedKeys, fingerprintKeys } from '@lanternrock/auth/inspect-keys';
import type { Database } from '@lanternrock/postgres';
import { auditKeyName } from '../audit/audit-key.ts';
import type { Config } from '../config/settings.ts';
import { findDifferentSettings } from '../database/service-settings.ts';
import { toErrorMessage } from '../errors.ts';
import type { BackupHeader } from './write-backup.ts';

type Fingerprints = Readonly<Record<string, string>>;

/** Descriptions of the keys that a backup states. */
const keyNames = new Map([
  ['ANON_KEY', 'the publishable API key (ANON_KEY)'],
  ['SERVICE_ROLE_KEY', 'the secret API key (SERVICE_ROLE_KEY)'],
  ['SIGNING_KEYS', 'the signing keys (SIGNING_KEYS), which sign access tokens'],
  [auditKeyName, 'the key of the audit log'],
  ['SECRETS_KEY', 'SECRETS_KEY, which decrypts second factors'],
]);

const describe = (names: readonly string[]): string =>
  [...keyNames].flatMap(([name, text]) => (names.includes(name) ? [text] : [])).join('; ');

/** In the place of a hash: the key exists, but the backup was written without it. */
const unknownHash = '';

const withUnknown = (known: Fingerprints, unknown: readonly string[]): Fingerprints => ({
  ...known,
  ...Object.fromEntries(unknown.map((name) => [name, unknownHash])),
});

interface KeyStatement {
  readonly fingerprints: Fingerprints;
  /** One sentence about keys without a fingerprint in the backup; null if there are none. */
  readonly problem: string | null;
}

/** Returns the hashes for the header. A command without the settings of the service does not know all keys. */
export async function stateKeys(config: Config, database: Database): Promise<KeyStatement> {
  const state = (known: Fingerprints, unknown: readonly string[], reason: string): KeyStatement => ({
    fingerprints: withUnknown(known, unknown),
    problem:
      `The backup has no fingerprints of these keys: ${describe(unknown)}. ${reason}. A restore cannot compare them: ` +
      'run the command with the settings of the service, as in docs/operations.md, "Settings of a command".',
  });
  const all = [...keyNames.keys()];
  try {
    const different = (await findDifferentSettings({ config, database })).map(({ name }) => name);
    if (different.includes('SECRETS_KEY')) return state({}, all, 'The service runs with another SECRETS_KEY');
    const known = await fingerprintKeys(config, database, [auditKeyName]);
    const unknown = all.filter((name) => different.includes(name));
    return unknown.length === 0
      ? { fingerprints: known, problem: null }
      : state(known, unknown, 'The service runs with other values');
  } catch (error) {
    return state({}, all, toErrorMessage(error).replace(/\.$/, ''));
  }
}

/**
 * Compares the keys of a backup with those of this instance.
 *
 * @param database null if it has no table of keys
 * @returns one sentence for each kind of difference
 */
export async function compareKeys(
  { fingerprints }: BackupHeader,
  config: Config,
  database: Database | null,
): Promise<readonly string[]> {
  const own = await fingerprintKeys(config, database, [auditKeyName]);
  // A backup of an earlier version has no fingerprints. Existing ones were probably copied.
  const different = fingerprints
    ? findChangedKeys(fingerprints, own)
    : [...keyNames.keys()].filter((name) => own[name] === undefined);
  const unknown = different.filter((name) => fingerprints?.[name] === unknownHash);
  const changed = different.filter((name) => !unknown.includes(name));
  return [
    ...(changed.length === 0 ? [] : [`These keys will not be those of the backup: ${describe(changed)}.`]),
    ...(unknown.length === 0 ? [] : [`The backup has no fingerprints of these keys: ${describe(unknown)}.`]),
  ];
}
