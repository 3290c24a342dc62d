/** The Auth API with only the tables of `db/platform`: no hooks, and no table of the product. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pino } from 'pino';
import { createAuthService, readProviders, createHasher, type PasswordHasher } from '@lanternrock/auth';
import { loadKeys, readConfiguredKeys } from '@lanternrock/auth/keys';
import type { AuthEmail } from '@lanternrock/auth/ports';
import { defaultAuthSettings } from '@lanternrock/auth/settings';
import type { Database } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { applyMigrations, readMigrations } from '@lanternrock/postgres/migrations';
import { eachEngine, onServer, openDataDir, type Engine } from '@lanternrock/testing/engines';
import { bundlePath, migrationDirectories } from '../../../apps/server/src/paths.ts';
import { createDirectRequester, type AuthRequester } from './support/auth-requests.ts';

const name = 'auth_without_product';

async function openEmptyDatabase(engine: Engine, dataDir: string): Promise<Database> {
  if (engine === 'embedded') return openDataDir(dataDir);
  const { ownerUrl } = inject('postgres');
  await onServer(ownerUrl, `create database ${name}`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return openExternal({
    url: url.href,
    poolSize: 4,
    connectionTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
}

eachEngine('the Auth API without the product', (engine) => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-test-'));
  const emails: AuthEmail[] = [];
  const email = 'agnes@example.org';
  let database: Database;
  let hasher: PasswordHasher;
  let auth: AuthRequester;
  let serviceRoleKey: string;

  beforeAll(async () => {
    database = await openEmptyDatabase(engine, dataDir);
    await applyMigrations(database, readMigrations([migrationDirectories[0]]));
    const log = pino({ level: 'silent' });
    const SECRETS_KEY = randomBytes(32).toString('base64url');
    const none = { SIGNING_KEYS: '', ANON_KEY: '', SERVICE_ROLE_KEY: '', DATABASE_URL: '' };
    const config = { ...none, SECRETS_KEY, DATA_DIR: dataDir, MIGRATE: true };
    const keys = await loadKeys({ config, configured: await readConfiguredKeys(config), database, log });
    ({ serviceRoleKey } = keys);
    hasher = createHasher({ workerFile: bundlePath('hash-worker'), log, timeoutMs: 20_000 });
    const SITE_URL = 'https://films.example.org';
    const service = createAuthService({
      config: { ...defaultAuthSettings, SITE_URL, PRODUCT_NAME: 'Films', SIGNUP: true, RESEND_COOLDOWN: 0 },
      database,
      keys,
      hasher,
      mailer: { enqueue: async (_tx, sent) => void emails.push(sent), wake: () => {} },
      providers: readProviders(''),
      log,
      now: () => new Date(),
    });
    auth = createDirectRequester(service, keys.anonKey);
  });
  afterAll(async () => {
    hasher.close();
    await database.close();
    if (engine === 'postgres')
      await onServer(inject('postgres').superuserUrl, `drop database ${name} with (force)`);
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  /** Redeems the link of the newest email. */
  const openLink = async (type: string): Promise<string> => {
    const token_hash = new URL(emails.at(-1)?.link ?? '').searchParams.get('token_hash');
    const { status, json } = await auth('POST', '/verify', { body: { type, token_hash } });
    expect(status).toBe(200);
    return String(json['access_token']);
  };
  const signIn = async (address: string, password: string): Promise<Record<string, unknown>> => {
    const body = { email: address, password };
    const { status, json } = await auth('POST', '/token?grant_type=password', { body });
    expect(status).toBe(200);
    return json;
  };

  it('signs up, signs in, refreshes, changes the name and signs out', async () => {
    expect(
      (await auth('POST', '/signup', { body: { email, password: 'a fine password' } })).json,
    ).toMatchObject({ email });
    expect(emails).toMatchObject([{ kind: 'confirmation', to: email }]);
    await openLink('signup');
    const { refresh_token } = await signIn(email, 'a fine password');
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });
    const bearer = String(refreshed.json['access_token']);
    const change = await auth('PUT', '/user', { bearer, body: { data: { full_name: 'Agnès Varda' } } });
    expect(change.json).toMatchObject({ user_metadata: { full_name: 'Agnès Varda' } });
    expect((await auth('POST', '/logout', { bearer })).status).toBe(204);
    expect((await auth('GET', '/user', { bearer })).status).toBe(403);
  });

  it('recovers a password, and sends decoys for unknown addresses', async () => {
    for (const address of ['unknown@example.org', email])
      expect(await auth('POST', '/recover', { body: { email: address } })).toMatchObject({
        status: 200,
        json: {},
      });
    expect(emails.slice(-2)).toMatchObject([
      { kind: 'recovery', decoy: true },
      { kind: 'recovery', to: email, decoy: false },
    ]);
    const bearer = await openLink('recovery');
    const change = await auth('PUT', '/user', { bearer, body: { password: 'another fine password' } });
    expect(change.status).toBe(200);
    await signIn(email, 'another fine password');
  });

  it('invites a user, who sets a first password', async () => {
    const invited = 'jacques@example.org';
    expect((await auth('POST', '/invite', { bearer: serviceRoleKey, body: { email: invited } })).status).toBe(
      200,
    );
    const bearer = await openLink('invite');
    expect((await auth('GET', '/user/sessions', { bearer })).json).toMatchObject({
      code: 'password_not_set',
    });
    const change = await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } });
    expect(change.json).toMatchObject({ email: invited });
    await signIn(invited, 'a fine password');
    // A user without a password and without an invitation of the product gets nothing.
    await auth('POST', '/invite', { bearer: serviceRoleKey, body: { email: 'georges@example.org' } });
    await auth('POST', '/recover', { body: { email: 'georges@example.org' } });
    expect(emails.at(-1)).toMatchObject({ kind: 'recovery', decoy: true });
  });
});
