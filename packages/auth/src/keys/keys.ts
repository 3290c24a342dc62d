/** All keys of the service: generated once, loaded at startup, reloaded after a change. */
import type { Logger } from 'pino';
import { type Database, sql } from '@lanternrock/postgres';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { KeySettings } from '../settings.ts';
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

export { openCurrentEncryptor, requireSecretsKey } from './secret-store.ts';

export interface Keys extends Encryptor {
  /** The publishable key, which browsers get. */
  readonly anonKey: string;
  /** The secret key, for the role service_role. */
  readonly serviceRoleKey: string;
  /** The current set; a different object after a change. */
  readonly signing: SigningKeys;
  /** Reloads the set, which another replica can have changed. */
  reload(): Promise<void>;
  /** Reloads unless the last reload is newer than `seconds`. Concurrent calls share one reload. */
  reloadIfOlderThan(seconds: number): Promise<void>;
  /**
   * Generates a new signing key. Tokens of the old keys stay valid until `dropOld`.
   *
   * @throws OperationalError if the set comes from the settings
   */
  rotate(options?: { readonly dropOld?: boolean }): Promise<void>;
  /** Returns a secret of the product by its name, and stores it the first time. It is kept like the signing keys. */
  getOrCreateSecret(name: string, create: () => string): Promise<string>;
}

/** Keys from the settings; null for those that are generated once and stored. */
export interface ConfiguredKeys {
  readonly anonKey: string | null;
  readonly serviceRoleKey: string | null;
  readonly signing: {
    readonly keys: SigningKeys;
    /** Name of the setting. */
    readonly source: string;
  } | null;
}

export interface LoadKeysOptions {
  readonly config: KeySettings;
  readonly configured: ConfiguredKeys;
  readonly database: Database;
  readonly log: Logger;
}

/** Channel on which replicas notify each other of a changed set. */
const notifyChannel = 'lanternrock_keys';

/**
 * Reads the keys of the settings; needs no database.
 *
 * @throws OperationalError for a weak, publicly known, invalid or missing key
 */
export async function readConfiguredKeys(config: KeySettings): Promise<ConfiguredKeys> {
  requireSecretsKey(config);
  const { ANON_KEY, SERVICE_ROLE_KEY } = config;
  if (ANON_KEY !== '') validateApiKey('ANON_KEY', ANON_KEY);
  if (SERVICE_ROLE_KEY !== '') validateApiKey('SERVICE_ROLE_KEY', SERVICE_ROLE_KEY);
  if (ANON_KEY !== '') requireDifferent(ANON_KEY, SERVICE_ROLE_KEY);
  return {
    anonKey: ANON_KEY || null,
    serviceRoleKey: SERVICE_ROLE_KEY || null,
    signing: await readConfiguredSigningKeys(config),
  };
}

function requireDifferent(anonKey: string, serviceRoleKey: string): void {
  if (anonKey === serviceRoleKey) throw new OperationalError('ANON_KEY and SERVICE_ROLE_KEY must differ.');
}

/** @throws OperationalError if a stored key cannot be read or used */
export async function loadKeys({ config, configured, database, log }: LoadKeysOptions): Promise<Keys> {
  const store = openSecretStore(config, database);
  const anonKey = configured.anonKey ?? (await loadApiKey(store, 'publishable'));
  const serviceRoleKey = configured.serviceRoleKey ?? (await loadApiKey(store, 'secret'));
  requireDifferent(anonKey, serviceRoleKey);
  const readSigningKeys = async (): Promise<SigningKeys> => configured.signing?.keys ?? loadStoredKeys(store);
  let signing = await readSigningKeys();
  // Monotonic: a clock that is set back must not delay a reload.
  let reloadedAt = performance.now();
  let pendingReload: Promise<void> | null = null;
  const reload = (): Promise<void> => {
    reloadedAt = performance.now();
    pendingReload ??= readSigningKeys()
      .then((loaded) => {
        // An unchanged set keeps its object, and with it the verified tokens that are cached for it.
        if (loaded.generation !== signing.generation) signing = loaded;
      })
      .finally(() => {
        pendingReload = null;
      });
    return pendingReload;
  };
  const reloadOnNotice = async (): Promise<void> => {
    // A reload that has already started can have read the set before the change.
    await pendingReload?.catch(() => {});
    await reload();
  };
  if (!configured.signing && config.MIGRATE) {
    database.listen?.(notifyChannel, () => {
      reloadOnNotice().catch((error: unknown) => log.warn({ err: error }, 'key reload failed'));
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
      if (!configured.signing && performance.now() - reloadedAt >= seconds * 1000) await reload();
    },
    async rotate({ dropOld = false } = {}) {
      if (configured.signing)
        throw new OperationalError(
          `The signing keys come from ${configured.signing.source}; change them there.`,
        );
      const currentKeys = parseJwkSet((await store.read(signingKeysName)) ?? '[]', signingKeysName);
      await store.replace(
        signingKeysName,
        JSON.stringify(dropOld ? [await generateSigningKey()] : await addRotatedKey(currentKeys)),
      );
      signing = await readSigningKeys();
      await database.query(sql`select pg_notify(${notifyChannel}, '')`);
      log.info({ keys: signing.verification.length }, 'signing keys rotated');
    },
    getOrCreateSecret: async (name, create) =>
      (await store.read(name)) ?? (await store.getOrCreate(name, create())),
  };
}

const apiKeys = {
  publishable: { storedName: 'anon-key', setting: 'ANON_KEY' },
  secret: { storedName: 'service-role-key', setting: 'SERVICE_ROLE_KEY' },
} as const;

async function loadApiKey(store: SecretStore, kind: keyof typeof apiKeys): Promise<string> {
  const { storedName, setting } = apiKeys[kind];
  const key = await store.getOrCreate(storedName, generateApiKey(kind));
  validateApiKey(setting, key);
  return key;
}

async function loadStoredKeys(store: SecretStore): Promise<SigningKeys> {
  const text =
    (await store.read(signingKeysName)) ??
    (await store.getOrCreate(signingKeysName, JSON.stringify([await generateSigningKey()])));
  return openSigningKeys(parseJwkSet(text, signingKeysName), signingKeysName);
}

async function readConfiguredSigningKeys(config: KeySettings): Promise<ConfiguredKeys['signing']> {
  const { SIGNING_KEYS } = config;
  if (SIGNING_KEYS === '') return null;
  const source = 'SIGNING_KEYS';
  return { keys: await openSigningKeys(parseJwkSet(SIGNING_KEYS, source), source), source };
}
