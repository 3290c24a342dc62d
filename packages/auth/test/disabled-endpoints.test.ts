import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthRequester, type AuthRequester } from './support/auth-requests.ts';
import { recordQueries } from './support/work-recorder.ts';
import { startAuth, type AuthFixture } from './support/start-auth.ts';

describe('disabled and public Auth API endpoints', () => {
  let test: AuthFixture;
  let auth: AuthRequester;
  beforeAll(async () => {
    test = await startAuth('embedded');
    auth = createAuthRequester(test);
  });
  afterAll(() => test.close());

  it.each([
    ['POST', '/sso', 404, 'saml_provider_disabled', 'SAML 2.0 is disabled'],
    ['POST', '/token?grant_type=web3', 422, 'web3_provider_disabled', 'Web3 provider is disabled'],
    ['GET', '/admin/oauth/clients', 404, 'feature_disabled', 'OAuth server is disabled'],
    ['POST', '/admin/oauth/clients', 404, 'feature_disabled', 'OAuth server is disabled'],
    ['GET', '/oauth/authorize', 404, 'feature_disabled', 'OAuth server is disabled'],
    ['DELETE', '/user/oauth/grants', 404, 'feature_disabled', 'OAuth server is disabled'],
    ['GET', '/admin/custom-providers', 404, 'feature_disabled', 'Custom providers are disabled'],
    ['GET', '/scim/v2/Users', 404, 'feature_disabled', 'SCIM is disabled'],
    ['GET', '/nothing', 404, 'not_found', 'Not found'],
    ['PATCH', '/user', 405, 'method_not_allowed', 'Allowed methods: GET, PUT'],
  ])('%s %s returns %d %s', async (method, path, status, code, message) => {
    const body = method === 'GET' ? {} : { body: {} };
    expect(await auth(method, path, body)).toMatchObject({
      status,
      json: { code, error_code: code, message },
    });
  });

  it('GET /health needs no token', async () => {
    const response = await test.request('/auth/v1/health');
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { name: 'Lanternrock', version: expect.any(String) },
    ]);
  });

  it.each([
    [10_000, 400, 'validation_failed'],
    [1_000_000, 413, 'request_entity_too_large'],
  ])(
    'rejects a password of %d characters without hashing it',
    { tags: ['AUTH-55'] },
    async (length, status, code) => {
      const body = { email: 'a@b.co', password: 'x'.repeat(length) };
      const work = await recordQueries(test.options, async () => {
        expect(await auth('POST', '/token?grant_type=password', { body })).toMatchObject({
          status,
          json: { code },
        });
      });
      expect(work).toEqual([]);
    },
  );
});
