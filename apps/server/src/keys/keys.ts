/** All keys of the service: made once, read at the start, replaced while it runs. */
import type { Logger } from 'pino';
import { type Database, sql } from '@lanternrock/postgres';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { validateApiKey, generateApiKey } from './api-keys.ts';
import type { Encryptor } from './encryption.ts';
import { openSecretStore, requireSecretsKey, signingKeysName, type SecretStore } from './secret-store.ts';
import {
  generateSigningKey,
  openSigningKeys,
  parseJwkSet,
  addRotatedKey,
  type SigningKeys,
} from './signing-keys.ts';

export interface Keys extends Encryptor {
  /** Public: browsers get it. */
  readonly anonKey: string;
  /** Secret: stands for the role service_role. */
  readonly serviceRoleKey: string;
  /** The set in force now; another object after a change. */
  readonly signing: SigningKeys;
  /** Reads the set again, after another copy of the service may have changed it. */
  reload(): Promise<void>;
  /** `reload` unless that happened within the last `seconds`; parallel callers share one. */
  reloadIfOlderThan(seconds: number): Promise<void>;
  /**
   * Makes a new signing key; tokens of the old ones stay good until `dropOld`.
   * @throws OperationalError when the set comes from the settings.
   */
  rotate(options?: { readonly dropOld?: boolean }): Promise<void>;
}

/** What the settings say of keys; null for those that are made once and kept. */
export interface ConfiguredKeys {
  readonly anonKey: string | null;
  readonly serviceRoleKey: string | null;
  readonly signing: {
    readonly keys: SigningKeys;
    /** The setting. */
    readonly source: string;
  } | null;
}

export interface LoadKeysOptions {
  readonly config: Config;
  readonly configured: ConfiguredKeys;
  readonly database: Database;
  readonly log: Logger;
}

/** The channel on which copies of the service on one Postgres tell each other of another set. */
const changed = 'lanternrock_keys';

/** Reads them without a database. @throws OperationalError when one is weak, publicly known, unusable or missing. */
export async function readConfiguredKeys(config: Config): Promise<ConfiguredKeys> {
  requireSecretsKey(config);
  const { ANON_KEY, SERVICE_ROLE_KEY } = config;
  if (ANON_KEY !== '') validateApiKey('ANON_KEY', ANON_KEY);
  if (SERVICE_ROLE_KEY !== '') validateApiKey('SERVICE_ROLE_KEY', SERVICE_ROLE_KEY);
  if (ANON_KEY !== '') requireDifferent(ANON_KEY, SERVICE_ROLE_KEY);
  return {
    anonKey: ANON_KEY || null,
    serviceRoleKey: SERVICE_ROLE_KEY || null,
    signing: await configuredSet(config),
  };
}

function requireDifferent(anonKey: string, serviceRoleKey: string): void {
  if (anonKey === serviceRoleKey) throw new OperationalError('ANON_KEY and SERVICE_ROLE_KEY must differ.');
}

/** @throws OperationalError when what is kept cannot be read or used. */
export async function loadKeys({ config, configured, database, log }: LoadKeysOptions): Promise<Keys> {
  const store = openSecretStore(config, database);
  const anonKey = configured.anonKey ?? (await keptApiKey(store, 'publishable'));
  const serviceRoleKey = configured.serviceRoleKey ?? (await keptApiKey(store, 'secret'));
  requireDifferent(anonKey, serviceRoleKey);
  const read = async (): Promise<SigningKeys> => configured.signing?.keys ?? storedSet(store);
  let signing = await read();
  let readAt = Date.now();
  let reading: Promise<void> | null = null;
  const reload = (): Promise<void> => {
    readAt = Date.now();
    reading ??= read()
      .then((fresh) => {
        // The same set keeps its object, and with it every verdict that was reached by it.
        if (fresh.generation !== signing.generation) signing = fresh;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const reloadOnNotice = async (): Promise<void> => {
    // One that is under way may have read before the change.
    await reading?.catch(() => {});
    await reload();
  };
  if (!configured.signing && config.MIGRATE) {
    database.listen?.(changed, () => {
      reloadOnNotice().catch((error: unknown) =>
        log.warn({ err: error }, 'the keys could not be read again'),
      );
    });
  }
  return {
    ...store.encryptor,
    anonKey,
    serviceRoleKey,
    get signing() {
      return signing;
    },
    reload,
    reloadIfOlderThan: async (seconds) => {
      if (!configured.signing && Date.now() - readAt >= seconds * 1000) await reload();
    },
    async rotate({ dropOld = false } = {}) {
      if (configured.signing)
        throw new OperationalError(
          `The signing keys come from ${configured.signing.source}; change them there.`,
        );
      const before = parseJwkSet((await store.read(signingKeysName)) ?? '[]', signingKeysName);
      await store.replace(
        signingKeysName,
        JSON.stringify(dropOld ? [await generateSigningKey()] : await addRotatedKey(before)),
      );
      signing = await read();
      await database.query(sql`select pg_notify(${changed}, '')`);
      log.info({ keys: signing.verification.length }, 'signing keys rotated');
    },
  };
}

const apiKeys = {
  publishable: { kept: 'anon-key', setting: 'ANON_KEY' },
  secret: { kept: 'service-role-key', setting: 'SERVICE_ROLE_KEY' },
} as const;

async function keptApiKey(store: SecretStore, kind: keyof typeof apiKeys): Promise<string> {
  const { kept, setting } = apiKeys[kind];
  const key = await store.getOrCreate(kept, generateApiKey(kind));
  validateApiKey(setting, key);
  return key;
}

async function storedSet(store: SecretStore): Promise<SigningKeys> {
  const text =
    (await store.read(signingKeysName)) ??
    (await store.getOrCreate(signingKeysName, JSON.stringify([await generateSigningKey()])));
  return openSigningKeys(parseJwkSet(text, signingKeysName), signingKeysName);
}

async function configuredSet(config: Config): Promise<ConfiguredKeys['signing']> {
  const { SIGNING_KEYS } = config;
  if (SIGNING_KEYS === '') return null;
  const source = 'SIGNING_KEYS';
  return { keys: await openSigningKeys(parseJwkSet(SIGNING_KEYS, source), source), source };
}
