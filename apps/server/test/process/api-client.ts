/** HTTP client of a running instance, for the process tests. */
import type { Instance } from '../../../../e2e/support/instance.ts';
import { openClient } from '../../../../scripts/instance-client.mjs';

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

export const readAnonKey = async (instance: Instance): Promise<string> =>
  (await openClient(instance.url)).anonKey;

/** Opens the link of the first administrator and sets the password. */
export const setUpAdministrator = async (instance: Instance): Promise<void> =>
  (await openClient(instance.url)).setUpAdministrator(instance.firstLink, administrator.password);

export async function signInAsAdministrator(instance: Instance): Promise<ApiClient> {
  const { signIn } = await openClient(instance.url);
  const session = (await signIn(administrator)) as { access_token: string; user: { id: string } };
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
