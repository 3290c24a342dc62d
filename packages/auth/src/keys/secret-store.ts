/**
 * Stores generated secrets: in files of mode 0600 next to the embedded database, or in an external Postgres. Rows in
 * Postgres are encrypted with SECRETS_KEY and shared by all replicas.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { KeySettings } from '../settings.ts';
import { createEncryptor, type Encryptor } from './encryption.ts';

/** Name of the stored JWK set. */
export const signingKeysName = 'signing-keys.json';

export interface SecretStore {
  /** The first access creates a missing key file. Opening the store and `read` do not. */
  readonly encryptor: Encryptor;
  read(name: string): Promise<string | null>;
  /** Returns the time of the last write; null if the name does not exist. */
  findChange(name: string): Promise<Date | null>;
  /**
   * Stores `text` unless the name exists.
   *
   * @returns the stored text
   */
  getOrCreate(name: string, text: string): Promise<string>;
  replace(name: string, text: string): Promise<void>;
}

/** @param database null for the files of an embedded database that is not open */
export function openSecretStore(config: KeySettings, database: Database | null): SecretStore {
  // An unmanaged database has no table for secrets.
  if (database === null) return createFileStore(config);
  const files = database.engine === 'embedded' || !config.MIGRATE;
  return files ? createFileStore(config) : createDatabaseStore(config, database);
}

const secretsKeyName = 'secrets.key';

/** Returns false if using the encryptor would create a new key, which decrypts no existing value. */
export function hasSecretsKey({ SECRETS_KEY, DATA_DIR }: KeySettings): boolean {
  return SECRETS_KEY !== '' || fs.existsSync(path.join(DATA_DIR, 'keys', secretsKeyName));
}

/** Returns the key in use; null if there is none yet. */
export function readCurrentSecretsKey({ SECRETS_KEY, DATA_DIR }: KeySettings): Uint8Array | null {
  const file = path.join(DATA_DIR, 'keys', secretsKeyName);
  const text = SECRETS_KEY || (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '');
  return text === '' ? null : readSecretsKey(text);
}

/**
 * Returns the encryptor of the key in use; null if there is none yet.
 *
 * @throws OperationalError if SECRETS_KEY is invalid
 */
export function openCurrentEncryptor(config: KeySettings): Encryptor | null {
  const key = readCurrentSecretsKey(config);
  return key && createEncryptor(key);
}

/** @throws OperationalError if SECRETS_KEY is invalid, or missing with an external Postgres */
export function requireSecretsKey(config: KeySettings): void {
  if (config.SECRETS_KEY !== '' || (config.DATABASE_URL !== '' && config.MIGRATE))
    createConfiguredEncryptor(config);
}

function createConfiguredEncryptor({ SECRETS_KEY }: KeySettings): Encryptor {
  if (SECRETS_KEY === '') {
    throw new OperationalError(
      'SECRETS_KEY is required with DATABASE_URL: 32 random bytes, for example from: openssl rand -base64 32',
    );
  }
  return createEncryptor(readSecretsKey(SECRETS_KEY));
}

/**
 * Parses SECRETS_KEY to 32 bytes.
 *
 * @throws OperationalError if it has another length or is too weak
 */
function readSecretsKey(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32 || new Set(bytes).size < 10) {
    throw new OperationalError(
      'SECRETS_KEY must be 32 random bytes as base64url, for example from: openssl rand -base64 32',
    );
  }
  return bytes;
}

function createFileStore(config: KeySettings): SecretStore {
  const directory = path.join(config.DATA_DIR, 'keys');
  const filePath = (name: string): string => path.join(directory, name);
  const read = (name: string): string | null => {
    try {
      return fs.readFileSync(filePath(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  // Written to a temporary file and renamed, so that a kill never leaves a partial key.
  const write = (name: string, text: string): void => {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const temporary = `${filePath(name)}.${process.pid}.new`;
    fs.writeFileSync(temporary, text, { mode: 0o600, flush: true });
    fs.renameSync(temporary, filePath(name));
  };
  const getOrCreate = (name: string, text: string): string => {
    const stored = read(name);
    if (stored !== null) return stored;
    write(name, text);
    return text;
  };
  let encryptor: Encryptor | undefined;
  const createFileEncryptor = (): Encryptor => {
    const secret = config.SECRETS_KEY || getOrCreate(secretsKeyName, randomBytes(32).toString('base64url'));
    return createEncryptor(readSecretsKey(secret.trim()));
  };
  return {
    get encryptor() {
      return (encryptor ??= createFileEncryptor());
    },
    read: async (name) => read(name),
    findChange: async (name) => fs.statSync(filePath(name), { throwIfNoEntry: false })?.mtime ?? null,
    getOrCreate: async (name, text) => getOrCreate(name, text),
    replace: async (name, text) => write(name, text),
  };
}

function createDatabaseStore(config: KeySettings, database: Database): SecretStore {
  const encryptor = createConfiguredEncryptor(config);
  const encrypt = (name: string, text: string): Uint8Array =>
    encryptor.encrypt(Buffer.from(text), `secret:${name}`);
  const read = async (name: string): Promise<string | null> => {
    const [row] = await database.query<{ sealed: Uint8Array }>(
      sql`select sealed from auth.service_secrets where name = ${name}`,
    );
    if (!row) return null;
    try {
      return Buffer.from(encryptor.decrypt(row.sealed, `secret:${name}`)).toString();
    } catch (error) {
      throw new OperationalError('SECRETS_KEY does not match this database.', {
        cause: error,
      });
    }
  };
  return {
    encryptor,
    read,
    async findChange(name) {
      const [row] = await database.query<{ at: Date }>(
        sql`select updated_at as at from auth.service_secrets where name = ${name}`,
      );
      return row?.at ?? null;
    },
    async getOrCreate(name, text) {
      // If two replicas start concurrently, the first insert wins and both read its value.
      await database.query(sql`insert into auth.service_secrets (name, sealed)
        values (${name}, ${encrypt(name, text)}) on conflict (name) do nothing`);
      return (await read(name)) ?? text;
    },
    async replace(name, text) {
      await database.query(sql`insert into auth.service_secrets (name, sealed)
        values (${name}, ${encrypt(name, text)})
        on conflict (name) do update set sealed = excluded.sealed, updated_at = now()`);
    },
  };
}
