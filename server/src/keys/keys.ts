/** All keys of the service: made once, read at the start, replaced while it runs. */
import fs from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { StartFailure } from '../errors.ts';
import { checkApiKey, newApiKey } from './api-keys.ts';
import type { Sealer } from './seal.ts';
import { openSecretStore, signingKeysName, type SecretStore } from './secret-store.ts';
import { newSigningKey, openSigningKeys, parseJwkSet, rotated, type SigningKeys } from './signing-keys.ts';

export interface Keys extends Sealer {
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
   * @throws StartFailure when the set comes from the settings.
   */
  rotate(options?: { readonly dropOld?: boolean }): Promise<void>;
}

export interface KeyParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
}

/** The channel on which copies of the service on one Postgres tell each other of another set. */
const changed = 'lanternrock_keys';

/** @throws StartFailure when a configured key is weak, publicly known or unusable. */
export async function loadKeys({ config, database, log }: KeyParts): Promise<Keys> {
  const store = openSecretStore(config, database);
  const configured = configuredSet(config);
  const anonKey = config.ANON_KEY || (await store.keep('anon-key', newApiKey('publishable')));
  const serviceRoleKey =
    config.SERVICE_ROLE_KEY || (await store.keep('service-role-key', newApiKey('secret')));
  checkApiKey('ANON_KEY', anonKey);
  checkApiKey('SERVICE_ROLE_KEY', serviceRoleKey);
  if (anonKey === serviceRoleKey) throw new StartFailure('ANON_KEY and SERVICE_ROLE_KEY must differ.');

  const read = (): Promise<SigningKeys> => (configured ? openSigningKeys(...configured) : storedSet(store));
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
  if (!configured && config.MIGRATE) {
    database.listen?.(changed, () => {
      reloadOnNotice().catch((error: unknown) =>
        log.warn({ err: error }, 'the keys could not be read again'),
      );
    });
  }
  return {
    ...store.sealer,
    anonKey,
    serviceRoleKey,
    get signing() {
      return signing;
    },
    reload,
    reloadIfOlderThan: async (seconds) => {
      if (!configured && Date.now() - readAt >= seconds * 1000) await reload();
    },
    async rotate({ dropOld = false } = {}) {
      if (configured)
        throw new StartFailure(`The signing keys come from ${configured[1]}; change them there.`);
      const before = parseJwkSet((await store.read(signingKeysName)) ?? '[]', signingKeysName);
      await store.replace(
        signingKeysName,
        JSON.stringify(dropOld ? [await newSigningKey()] : await rotated(before)),
      );
      signing = await read();
      await database.query(sql`select pg_notify(${changed}, '')`);
      log.info({ keys: signing.verification.length }, 'signing keys rotated');
    },
  };
}

async function storedSet(store: SecretStore): Promise<SigningKeys> {
  const text =
    (await store.read(signingKeysName)) ??
    (await store.keep(signingKeysName, JSON.stringify([await newSigningKey()])));
  return openSigningKeys(parseJwkSet(text, signingKeysName), signingKeysName);
}

function configuredSet(config: Config): [ReturnType<typeof parseJwkSet>, string] | null {
  if (config.SIGNING_KEYS !== '') return [parseJwkSet(config.SIGNING_KEYS, 'SIGNING_KEYS'), 'SIGNING_KEYS'];
  if (config.SIGNING_KEYS_FILE === '') return null;
  try {
    return [
      parseJwkSet(fs.readFileSync(config.SIGNING_KEYS_FILE, 'utf8'), 'SIGNING_KEYS_FILE'),
      'SIGNING_KEYS_FILE',
    ];
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`SIGNING_KEYS_FILE ${config.SIGNING_KEYS_FILE} cannot be read.`, { cause: error });
  }
}
