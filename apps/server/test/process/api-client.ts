/** HTTP client of a running instance, for the process tests. */
import fs from 'node:fs';
import path from 'node:path';
import type { Instance } from '../../../../e2e/support/instance.ts';

export const administrator = { email: 'admin@example.com', password: 'lantern on the pier 7' };

interface CallInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ApiClient {
  readonly userId: string;
  readonly token: string;
  call(path: string, init?: CallInit): Promise<Response>;
}

export const readAnonKey = async (instance: Instance): Promise<string> => {
  const page = await (await fetch(`${instance.url}/auth`)).text();
  const key = /"anonKey":"([^"]+)"/.exec(page)?.[1];
  if (!key) throw new Error('The sign-in page contains no publishable key');
  return key;
};

async function post(instance: Instance, pathname: string, body: unknown, token?: string): Promise<Response> {
  const apikey = await readAnonKey(instance);
  return fetch(`${instance.url}${pathname}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      apikey,
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
}

/** Opens the link of the first administrator and sets the password. */
export async function setUpAdministrator(instance: Instance): Promise<void> {
  const link = new URL(fs.readFileSync(path.join(instance.dataDir, 'first-link'), 'utf8').trim());
  const verified = await post(instance, '/auth/v1/verify', {
    type: link.searchParams.get('type'),
    token_hash: link.searchParams.get('token_hash'),
  });
  if (verified.status !== 200)
    throw new Error(`POST /verify returned ${verified.status}: ${await verified.text()}`);
  const { access_token: token } = (await verified.json()) as { access_token: string };
  const response = await fetch(`${instance.url}/auth/v1/user`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ password: administrator.password }),
  });
  if (response.status !== 200)
    throw new Error(`PUT /user returned ${response.status}: ${await response.text()}`);
}

export async function signInAsAdministrator(instance: Instance): Promise<ApiClient> {
  const response = await post(instance, '/auth/v1/token?grant_type=password', administrator);
  if (response.status !== 200)
    throw new Error(`POST /token returned ${response.status}: ${await response.text()}`);
  const session = (await response.json()) as { access_token: string; user: { id: string } };
  return {
    userId: session.user.id,
    token: session.access_token,
    call: (address, { headers, ...init } = {}) =>
      fetch(`${instance.url}${address}`, {
        ...init,
        headers: { ...headers, Authorization: `Bearer ${session.access_token}` },
      }),
  };
}

export const accountRow = (client: ApiClient, name: string): Record<string, string> => ({
  name,
  slug: 'account',
  account_type: 'organization',
  status: 'active',
  created_by: client.userId,
});

export async function storedIds(client: ApiClient): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 1000) {
    const response = await client.call(`/rest/v1/accounts?select=id&order=id&limit=1000&offset=${offset}`);
    const rows = (await response.json()) as { id: string }[];
    ids.push(...rows.map((row) => row.id));
    if (rows.length < 1000) return ids;
  }
}
