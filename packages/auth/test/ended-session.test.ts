/** A session that ends during one of its requests changes nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { endpoints } from '../src/endpoints.ts';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { heldBody } from './support/held-body.ts';
import { startIdTokenIssuer, type IdTokenIssuer } from './support/oidc-providers.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture } from './support/start-auth.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';
import { waitUntilBlocked } from '@lanternrock/testing/wait-until-blocked';

const sessionNotFound = { status: 403, json: { code: 'session_not_found' } };

/** A successful request of a signed-in user. The previous steps determine its path and body. */
interface Step {
  /** The path as in the endpoint table. */
  readonly name: string;
  readonly path?: () => string | Promise<string>;
  readonly body?: () => object | Promise<object>;
  readonly done?: (json: Record<string, unknown>) => void;
}

eachEngine('a session that ends after its guard', (engine) => {
  let issuer: IdTokenIssuer;
  let test: AuthFixture;
  let auth: AuthRequester;
  let clock = Date.now();
  const now = (): Date => new Date(clock);
  beforeAll(async () => {
    issuer = await startIdTokenIssuer();
    test = await startAuth(engine, { now, settings: { OAUTH_PROVIDERS_FILE: issuer.file } });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await Promise.all([test.close(), issuer.close()]);
  });

  /**
   * Sends the request up to its body.
   * @returns a function that sends the body and resolves to the response
   */
  const startRequest = async (method: string, url: string, bearer: string) => {
    const body = heldBody();
    const response = test.request(`/auth/v1${url}`, {
      method,
      headers: {
        Authorization: `Bearer ${bearer}`,
        'Content-Type': 'application/json',
        'X-Supabase-Api-Version': '2024-01-01',
      },
      body: body.stream,
      duplex: 'half',
    } as RequestInit);
    await body.reading;
    return async (json: object): Promise<{ status: number; json: unknown }> => {
      body.send(json);
      const { status } = await response;
      return { status, json: await (await response).json() };
    };
  };
  const idToken = async (): Promise<object> => ({
    provider: 'apple',
    link_identity: true,
    id_token: await issuer.sign({ sub: randomUUID() }),
  });
  const sessionIdFrom = (access_token: string): string =>
    String(decodeClaims({ access_token })['session_id']);
  const passkey = async (bearer: string) => {
    const { json } = await auth('POST', '/passkeys/registration/options', { bearer });
    const key = new SoftwareAuthenticator(siteUrl);
    const credential = key.create(json['options'] as Parameters<typeof key.create>[0]);
    return { challenge_id: json['challenge_id'], credential };
  };

  it.each(['an email', 'a password', 'data', 'a factor', 'a passkey'])(
    'rejects a body with %s sent after a recovery',
    { tags: ['AUTH-23'] },
    async (kind) => {
      const ann = await test.createUser();
      const stolen = (await test.signIn(ann)).access_token;
      const url = { 'a factor': '/factors', 'a passkey': '/passkeys/registration/verify' }[kind] ?? '/user';
      const body =
        {
          'an email': { email: 'attacker@example.org' },
          'a password': { password: 'the attacker’s' },
          data: { data: { full_name: 'Attacker' } },
          'a factor': { factor_type: 'totp' },
        }[kind] ?? (await passkey(stolen));
      const held = await startRequest(url === '/user' ? 'PUT' : 'POST', url, stolen);
      await auth('POST', '/recover', { body: { email: ann.email } });
      const [link] = await test.linksTo(ann.email);
      const token_hash = link?.searchParams.get('token_hash');
      const opened = await auth('POST', '/verify', { body: { type: 'recovery', token_hash } });
      const recovered = {
        bearer: String(opened.json['access_token']),
        body: { password: 'a fine password' },
      };
      expect((await auth('PUT', '/user', recovered)).status).toBe(200);
      const before = await test.fingerprint();
      expect(await held(body)).toMatchObject(sessionNotFound);
      expect(await test.fingerprint()).toBe(before);
    },
  );

  it('rejects every write request of a signed-in user in its transaction', { timeout: 240_000 }, async () => {
    const ann = await test.createUser();
    let bearer = (await test.signIn(ann)).access_token;
    const factor = await addSecondFactor(auth, bearer, now);
    bearer = String(factor.elevated.json['access_token']);
    const linked = await auth('POST', '/token?grant_type=id_token', { bearer, body: await idToken() });
    expect(linked.status).toBe(200);
    const identities = (linked.json['user'] as { identities: { identity_id: string; provider: string }[] })
      .identities;
    const identity = identities.find(({ provider }) => provider === 'apple')?.identity_id ?? '';
    const session = sessionIdFrom(bearer);
    let codes: string[] = [];
    let enrolled = '';
    let key = '';
    const assertion = async (): Promise<object> => {
      clock += 30_000;
      return { challenge_id: await factor.challenge(bearer), code: factor.code() };
    };
    const steps: readonly Step[] = [
      { name: 'PUT /user', body: () => ({ email: 'other@example.org' }) },
      { name: 'POST /reauthenticate', body: async () => ({ ...(await assertion()), factor_id: factor.id }) },
      { name: 'POST /factors/:id/challenge', path: () => factor.id, body: () => ({}) },
      { name: 'POST /factors/:id/verify', path: () => factor.id, body: assertion },
      {
        name: 'POST /factors/recovery-codes',
        body: () => ({}),
        done: (json) => (codes = json['codes'] as string[]),
      },
      { name: 'POST /factors/recovery-codes/verify', body: () => ({ code: codes[0] }) },
      { name: 'POST /factors/recovery-codes/regenerate' },
      { name: 'DELETE /factors/recovery-codes' },
      {
        name: 'POST /factors',
        body: () => ({ factor_type: 'totp' }),
        done: ({ id }) => (enrolled = String(id)),
      },
      { name: 'DELETE /factors/:id', path: () => enrolled },
      { name: 'POST /passkeys/registration/options' },
      {
        name: 'POST /passkeys/registration/verify',
        body: () => passkey(bearer),
        done: ({ id }) => (key = String(id)),
      },
      { name: 'PATCH /passkeys/:id', path: () => key, body: () => ({ friendly_name: 'Another name' }) },
      { name: 'DELETE /passkeys/:id', path: () => key },
      { name: 'DELETE /user/identities/:id', path: () => identity },
      { name: 'GET /user/identities/authorize' },
      { name: 'GET /reauthenticate' },
      {
        name: 'DELETE /user/sessions/:id',
        path: async () => sessionIdFrom((await test.signIn(ann)).access_token),
      },
      { name: 'POST /logout' },
    ];
    // A new endpoint needs a row here, unless it is read-only.
    const writing = endpoints.filter(
      ([method, , { spec }]) => (spec.guard === 'user' || spec.guard === 'session') && method !== 'GET',
    );
    const reading = ['GET /user/identities/authorize', 'GET /reauthenticate'];
    expect(steps.map(({ name }) => name).toSorted()).toEqual(
      [...writing.map(([method, url]) => `${method} ${url}`), ...reading].toSorted(),
    );

    const [row] = await test.database.query<{ ends: Date | null }>(
      sql`select not_after as ends from auth.sessions where id = ${session}`,
    );
    const ends = (at: Date | null) => sql`update auth.sessions set not_after = ${at} where id = ${session}`;
    for (const { name, path: id, body, done } of steps) {
      const [method = '', pattern = ''] = name.split(' ');
      const query = pattern.endsWith('/authorize') ? '?provider=apple&skip_http_redirect=true' : '';
      const url = pattern.replace(':id', (await id?.()) ?? '') + query;
      const sent = await body?.();
      const before = await test.fingerprint();
      if (sent) {
        const held = await startRequest(method, url, bearer);
        await test.database.query(ends(now()));
        expect(await held(sent), name).toMatchObject(sessionNotFound);
      } else if (engine === 'postgres') {
        const { pendingResponse } = await test.database.transaction(async (tx) => {
          await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
          const pending = auth(method, url, { bearer });
          await waitUntilBlocked(test.database);
          await tx.query(ends(now()));
          return { pendingResponse: pending };
        });
        expect(await pendingResponse, name).toMatchObject(sessionNotFound);
      }
      await test.database.query(ends(row?.ends ?? null));
      expect(await test.fingerprint(), name).toBe(before);
      const live = await auth(method, url, { bearer, ...(sent ? { body: sent } : {}) });
      expect([200, 204], `${name} ${live.text}`).toContain(live.status);
      done?.(live.json);
    }
  });
});
