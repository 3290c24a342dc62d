/**
 * Compares the settings of this process with those of the service. A command opens an external database with its own
 * environment, and would otherwise print links to another address or send emails through another server.
 */
import { type Database, sql } from '@lanternrock/postgres';
import { OperationalError, QueryError } from '@lanternrock/postgres/errors';
import { openCurrentEncryptor } from '@lanternrock/auth/keys';
import type { Config } from '../config/settings.ts';

/** Settings that decide about links, emails and keys. */
const comparedSettings = [
  'SECRETS_KEY',
  'SIGNING_KEYS',
  'ANON_KEY',
  'SERVICE_ROLE_KEY',
  'JWT_ISSUER',
  'PRODUCT_NAME',
  'SMTP_URL',
  'SMTP_TLS',
  'SMTP_EHLO_NAME',
  'MAIL_FROM',
  'DKIM_DOMAIN',
  'DKIM_SELECTOR',
  'DKIM_KEY_FILE',
] as const satisfies readonly (keyof Config)[];

type Fingerprints = Readonly<Record<string, string>>;

interface StoredSettings {
  readonly site_url: string;
  readonly fingerprints: Fingerprints;
}

interface ComparisonSources {
  readonly config: Config;
  readonly database: Pick<Database, 'query'>;
  /** With a key that is derived from SECRETS_KEY; null without one. */
  readonly keys: Hmac | null;
}

interface Hmac {
  hmac(text: string, context: string): Buffer;
}

/** With PORT=0, the default URL of the service contains the port that the system selected, which is not known here. */
const withoutUnknownPort = (storedUrl: string, { SITE_URL }: Config): string =>
  SITE_URL.endsWith(':0') ? storedUrl.replace(/:\d+$/, ':0') : storedUrl;

function createFingerprints(config: Config, keys: Hmac): Fingerprints {
  const values = {
    ...config,
    // The key of all fingerprints. It can also come from a file in DATA_DIR.
    SECRETS_KEY: '',
    JWT_ISSUER: config.JWT_ISSUER.replace(config.SITE_URL, ''),
  };
  return Object.fromEntries(
    comparedSettings.map((name) => [
      name,
      keys.hmac(values[name], `setting ${name}`).toString('base64url').slice(0, 22),
    ]),
  );
}

/**
 * Stores the settings of a service that starts.
 *
 * @returns the names of the settings that differ from those of the previous start
 */
export async function recordServiceSettings(
  sources: ComparisonSources & { readonly keys: Hmac },
): Promise<readonly string[]> {
  const different = await compareSettings(sources);
  const fingerprints = JSON.stringify(createFingerprints(sources.config, sources.keys));
  await sources.database.query(
    sql`insert into private.service_settings (site_url, fingerprints)
        values (${sources.config.SITE_URL}, ${fingerprints}::jsonb)
        on conflict (id) do update set site_url = excluded.site_url, fingerprints = excluded.fingerprints,
          recorded_at = excluded.recorded_at`,
  );
  return different.map(({ name }) => name);
}

interface Difference {
  readonly name: string;
  /** The value of the service, if it is not a secret. */
  readonly value?: string;
}

/** Returns the settings that differ from those of the service. Without a start, there are none. */
async function compareSettings(sources: ComparisonSources): Promise<readonly Difference[]> {
  const [stored] = await sources.database.query<StoredSettings & Record<string, unknown>>(
    sql`select site_url, fingerprints from private.service_settings`,
  );
  if (!stored) return [];
  const { config, keys } = sources;
  const own = keys && createFingerprints(config, keys);
  // All other fingerprints differ with the key.
  if (!own || stored.fingerprints['SECRETS_KEY'] !== own['SECRETS_KEY']) return [{ name: 'SECRETS_KEY' }];
  const differences: Difference[] = comparedSettings
    .filter((name) => stored.fingerprints[name] !== own[name])
    .map((name) => ({ name }));
  return withoutUnknownPort(stored.site_url, config) === config.SITE_URL
    ? differences
    : [{ name: 'SITE_URL', value: stored.site_url }, ...differences];
}

/** Like `compareSettings`, for commands that only read. In a database without tables, which `doctor` checks too, none differs. */
export async function findDifferentSettings(
  sources: Pick<ComparisonSources, 'config' | 'database'>,
): Promise<readonly Difference[]> {
  const keys = openCurrentEncryptor(sources.config);
  return compareSettings({ ...sources, keys }).catch((error: unknown) => {
    if (error instanceof QueryError && error.code === '42P01') return [];
    throw error;
  });
}

/** Returns the names of the settings that differ, with values that are no secrets; null if none differs. */
export const describeDifferentSettings = async (
  sources: Pick<ComparisonSources, 'config' | 'database'>,
): Promise<string | null> => describeDifferences(await findDifferentSettings(sources));

function describeDifferences(differences: readonly Difference[]): string | null {
  const names = differences.map(({ name, value }) => (value === undefined ? name : `${name} (${value})`));
  return names.length === 0 ? null : names.join(', ');
}

/** @throws OperationalError if a setting differs from that of the service */
export async function requireServiceSettings(sources: ComparisonSources): Promise<void> {
  const names = describeDifferences(await compareSettings(sources));
  if (names === null) return;
  throw new OperationalError(
    `The service runs with other values of ${names}. Nothing was changed. Run the command with the ` +
      'settings of the service, under systemd and in a container as in docs/operations.md, "Settings of a command". ' +
      'If they have changed, start the service with the new ones first.',
  );
}
