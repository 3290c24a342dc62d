import { pino } from 'pino';
import { createAuthService, createHasher, readProviders } from '@lanternrock/auth';
import { loadKeys, readConfiguredKeys } from '@lanternrock/auth/keys';
import type { AuthEmail } from '@lanternrock/auth/ports';
import { defaultAuthSettings } from '@lanternrock/auth/settings';
import { createDatabaseClock } from '@lanternrock/postgres/clock';
import { openExternal } from '@lanternrock/postgres/external';

/**
 * Signs up a user in a database with the tables of `db/platform`.
 *
 * @param workerFile the bundle of `src/passwords/hash-worker.ts`
 */
export async function signUp(databaseUrl: string, secretsKey: string, workerFile: string) {
  const pool = { poolSize: 4, connectionTimeoutMs: 10_000, onConnectionError: () => {} };
  const database = await openExternal({ url: databaseUrl, ...pool });
  const log = pino({ level: 'silent' });
  const generated = { SIGNING_KEYS: '', ANON_KEY: '', SERVICE_ROLE_KEY: '', DATA_DIR: '' };
  const config = { ...generated, SECRETS_KEY: secretsKey, DATABASE_URL: databaseUrl, MIGRATE: true };
  const keys = await loadKeys({ config, configured: await readConfiguredKeys(config), database, log });
  const hasher = createHasher({ workerFile, log, timeoutMs: 5000 });
  const emails: AuthEmail[] = [];
  const site = { SITE_URL: 'https://films.example.org', JWT_ISSUER: 'https://films.example.org/auth/v1' };
  const auth = createAuthService({
    config: { ...defaultAuthSettings, ...site, PRODUCT_NAME: 'Films', SIGNUP: true },
    database,
    keys,
    hasher,
    mailer: { enqueue: async (_tx, email) => void emails.push(email), wake: () => {} },
    providers: readProviders(''),
    log,
    clock: createDatabaseClock(),
  });
  const request = new Request('https://films.example.org/auth/v1/signup', {
    method: 'POST',
    headers: { apikey: keys.anonKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'agnes@example.org', password: 'a fine password' }),
  });
  const client = { ip: '203.0.113.7', userAgent: null, requestId: 'example' };
  const response = await auth.handle(request, client);
  hasher.close();
  await database.close();
  return { response, emails };
}
