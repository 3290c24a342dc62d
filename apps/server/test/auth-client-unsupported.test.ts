import type { GoTrueClient } from '@supabase/auth-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const id = '00000000-0000-4000-8000-000000000000';
type Call = (client: GoTrueClient) => Promise<{ error: { code?: string | undefined } | null }>;

const calls: readonly [name: string, code: string, call: Call][] = [
  ['signInWithSSO', 'saml_provider_disabled', (client) => client.signInWithSSO({ domain: 'example.org' })],
  [
    'signInWithWeb3',
    'web3_provider_disabled',
    (client) => client.signInWithWeb3({ chain: 'solana', message: 'hello', signature: new Uint8Array(64) }),
  ],
  ['oauth', 'feature_disabled', (client) => client.oauth.getAuthorizationDetails(id)],
  ['oauth', 'feature_disabled', (client) => client.oauth.approveAuthorization(id)],
  ['oauth', 'feature_disabled', (client) => client.oauth.denyAuthorization(id)],
  ['oauth', 'feature_disabled', (client) => client.oauth.listGrants()],
  ['oauth', 'feature_disabled', (client) => client.oauth.revokeGrant({ clientId: id })],
  ['admin.oauth', 'feature_disabled', (client) => client.admin.oauth.listClients()],
  [
    'admin.oauth',
    'feature_disabled',
    (client) => client.admin.oauth.createClient({ client_name: 'x', redirect_uris: ['https://x.example'] }),
  ],
  ['admin.oauth', 'feature_disabled', (client) => client.admin.oauth.getClient(id)],
  ['admin.oauth', 'feature_disabled', (client) => client.admin.oauth.updateClient(id, { client_name: 'y' })],
  ['admin.oauth', 'feature_disabled', (client) => client.admin.oauth.deleteClient(id)],
  ['admin.oauth', 'feature_disabled', (client) => client.admin.oauth.regenerateClientSecret(id)],
  ['admin.customProviders', 'feature_disabled', (client) => client.admin.customProviders.listProviders()],
  [
    'admin.customProviders',
    'feature_disabled',
    (client) =>
      client.admin.customProviders.createProvider({
        provider_type: 'oauth2',
        identifier: 'custom:x',
        name: 'X',
        client_id: 'x',
        client_secret: 'x',
      }),
  ],
  [
    'admin.customProviders',
    'feature_disabled',
    (client) => client.admin.customProviders.getProvider('custom:x'),
  ],
  [
    'admin.customProviders',
    'feature_disabled',
    (client) => client.admin.customProviders.updateProvider('custom:x', { name: 'Y' }),
  ],
  [
    'admin.customProviders',
    'feature_disabled',
    (client) => client.admin.customProviders.deleteProvider('custom:x'),
  ],
];

eachEngine('the published client for unsupported features', (engine) => {
  let test: TestService;
  let client: GoTrueClient;
  beforeAll(async () => {
    test = await startTestService(engine);
    client = authClient(test);
    await client.signInWithPassword(await test.createUser());
  });
  afterAll(() => test.close());

  it.each(calls)('%s returns %s and changes nothing', async (_name, code, call) => {
    const before = await test.fingerprint();
    expect((await call(client)).error).toMatchObject({ code });
    expect(await test.fingerprint()).toBe(before);
  });
});
