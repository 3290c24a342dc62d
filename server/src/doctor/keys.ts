/** The keys: there, readable with the present SECRETS_KEY, and how old. Makes none. */
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { openSecretStore, signingKeysName } from '../keys/secret-store.ts';
import { broken, fine, risky, wordsOf, type Finding } from './finding.ts';

/** Days after which a new signing key is due. */
const longestUse = 365;

export async function checkKeys(config: Config, database: Database, now: Date): Promise<Finding> {
  if (config.SIGNING_KEYS || config.SIGNING_KEYS_FILE)
    return fine('keys', 'the signing keys come from the settings');
  try {
    const changedAt = await lastChange(config, database);
    if (!changedAt) return risky('keys', 'no keys yet', 'The first start makes them.');
    await openSecretStore(config, database).read(signingKeysName);
    const days = Math.floor((now.getTime() - changedAt.getTime()) / 86_400_000);
    const told = `the signing key is ${days} days old`;
    return days > longestUse ? risky('keys', told, 'lanternrock keys rotate') : fine('keys', told);
  } catch (error) {
    return broken('keys', wordsOf(error), 'Set the SECRETS_KEY with which this instance was set up.');
  }
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
