/** Users with a password, for the tests of the Auth API and of the server. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@lanternrock/postgres';
import type { PasswordHasher } from '../../src/passwords/hasher.ts';
import { createAuthRequester, type TestApi } from './auth-requests.ts';

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly [field: string]: unknown;
}

const hashes = new Map<string, Promise<string>>();

/** Hashes each password once: most users of a test file share it, and hashing is slow on purpose. */
function hashCached(hasher: PasswordHasher, password: string): Promise<string> {
  const known = hashes.get(password) ?? hasher.hash(password, '');
  hashes.set(password, known);
  return known;
}

/** Creates a confirmed user with a password. */
export async function createUser(
  database: Database,
  hasher: PasswordHasher,
  {
    id = randomUUID(),
    email = `user-${randomUUID().slice(0, 8)}@example.org`,
    password = 'correct horse 1',
    fullName = 'Test Person',
  }: Partial<TestUser> & { readonly fullName?: string } = {},
): Promise<TestUser> {
  const hash = await hashCached(hasher, password);
  const appData = { provider: 'email', providers: ['email'] };
  await database.transaction(async (tx) => {
    await tx.query(
      sql`insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
          values (${id}, ${email}, ${hash}, now(), ${JSON.stringify(appData)}, ${JSON.stringify({ full_name: fullName })})`,
    );
    await tx.query(
      sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
          values (${id}, 'email', ${id}::text,
                  jsonb_build_object('sub', ${id}::text, 'email', ${email}::text, 'email_verified', true))`,
    );
  });
  return { id, email, password };
}

/** @throws Error with the status and the body of a rejected sign-in */
export async function signIn(
  api: TestApi,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<TokenResponse> {
  const body = { email, password };
  const { status, text, json } = await createAuthRequester(api)('POST', '/token?grant_type=password', {
    body,
  });
  if (status !== 200) throw new Error(`the sign-in returned ${status}: ${text}`);
  return json as unknown as TokenResponse;
}
