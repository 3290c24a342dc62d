/** Rules for every endpoint of the Auth API, checked against the endpoint table. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { measureAllocation } from '@lanternrock/testing/measure-allocation';
import * as disabledEndpoints from '../src/disabled-endpoints.ts';
import { endpoints } from '../src/endpoints.ts';
import { createAuthRequester } from './support/auth-requests.ts';
import { recordQueries } from './support/work-recorder.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { startAuth, type AuthFixture } from './support/start-auth.ts';

const disabled: readonly unknown[] = Object.values(disabledEndpoints);
const table = endpoints.map(([method, path, endpoint]) => ({
  name: `${method} ${path}${endpoint.spec.body === 'form' ? ' (form)' : ''}`,
  method,
  path: path.replaceAll(/:\w+/g, () => randomUUID()),
  spec: endpoint.spec,
  isDisabled: disabled.includes(endpoint),
}));
const withBody = table.filter(({ spec }) => spec.body !== undefined);
const guarded = table.filter(({ spec }) => spec.guard !== 'anyone');
const open = withBody.filter(({ spec }) => spec.guard === 'anyone');
type Row = (typeof table)[number];

const roles = [
  'no token',
  'anon key',
  'in setup',
  'before the factor',
  'authenticated',
  'not fresh',
  'service',
] as const;
type Role = (typeof roles)[number] | 'after the factor';

/** Returns true if the guard of an endpoint rejects a role. */
function isRejected(role: Role, { guard, allow = [], fresh }: Row['spec']): boolean {
  if (role === 'service') return guard !== 'service';
  if (guard === 'service' || role === 'no token' || role === 'anon key') return true;
  if (role === 'not fresh') return fresh === true;
  if (role === 'in setup') return !allow.includes('setup');
  return role === 'before the factor' && !allow.includes('factor');
}

/** Maximum allocation of a rejected request in bytes. The largest body takes up to 30 MB to parse. */
const maxAllocation = 40_000_000;

/** A body that counts its reads. */
function watchedBody(text: string): { stream: ReadableStream; reads(): number } {
  let reads = 0;
  const stream = new ReadableStream(
    {
      pull: (controller) => {
        reads += 1;
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, reads: () => reads };
}

describe('endpoints of the Auth API', () => {
  let test: AuthFixture;
  const bearers = new Map<Role, string>();
  beforeAll(async () => {
    test = await startAuth('embedded', { settings: { SIGNUP: true, PASSKEYS: true } });
    const auth = createAuthRequester(test);
    const ann = await test.createUser();
    const { elevated } = await addSecondFactor(auth, (await test.signIn(ann)).access_token, () => new Date());
    const invited = await test.createUser();
    const { access_token } = await test.signIn(invited);
    await test.database.query(sql`update auth.users set
      raw_app_meta_data = raw_app_meta_data || '{"setup_required": true}' where id = ${invited.id}`);
    bearers.set('anon key', test.anonKey);
    bearers.set('service', test.serviceRoleKey);
    bearers.set('in setup', access_token);
    bearers.set('after the factor', String(elevated.json['access_token']));
    bearers.set('before the factor', (await test.signIn(ann)).access_token);
    const stale = await test.createUser();
    bearers.set('not fresh', (await test.signIn(stale)).access_token);
    await test.database.query(
      sql`update auth.sessions set created_at = now() - interval '1 hour' where user_id = ${stale.id}`,
    );
    bearers.set('authenticated', (await test.signIn(await test.createUser())).access_token);
  });
  afterAll(() => test.close());

  const send = (
    { method, path }: Row,
    role: Role,
    body: string | ReadableStream | null,
    type = 'application/json',
  ): Promise<Response> => {
    const bearer = bearers.get(role);
    return test.request(`/auth/v1${path}`, {
      method,
      headers: {
        ...(type === '' ? {} : { 'Content-Type': type }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      },
      ...(body === null ? {} : { body, duplex: 'half' }),
    } as RequestInit);
  };
  const contentTypeFor = ({ spec }: Row): string =>
    spec.body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

  it('have a limit if a client can repeat a write', () => {
    // The secret key has none: its holder is the operator.
    const reads = new Set([
      'GET /user',
      'GET /verify',
      'GET /user/sign-in-methods',
      'GET /user/sessions',
      'GET /passkeys',
    ]);
    const constant = new Set(['GET /factors/recovery-codes', 'GET /settings', 'GET /health']);
    const unlimited = table.filter(
      ({ method, path, spec, isDisabled }) =>
        spec.limit === undefined &&
        spec.guard !== 'service' &&
        !isDisabled &&
        !reads.has(`${method} ${path}`) &&
        !constant.has(`${method} ${path}`) &&
        !path.startsWith('/.well-known/'),
    );
    expect(unlimited.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('share no limit between changes with a step-up and calls without one', () => {
    const limitsOf = (fresh: boolean): unknown[] =>
      table
        .filter(({ spec }) => spec.guard !== 'anyone' && (spec.fresh === true) === fresh)
        .flatMap(({ spec: { limit } }) => (typeof limit === 'string' ? [limit] : []));
    const withStepUp = new Set(limitsOf(true));
    expect(withStepUp.size).toBeGreaterThan(1);
    expect(limitsOf(false).filter((limit) => withStepUp.has(limit))).toEqual([]);
    const byBody = table.filter(({ spec }) => spec.freshFor !== undefined);
    expect(byBody.map(({ spec }) => typeof spec.limit)).toEqual(['function']);
  });

  it('accept only the secret key for administration', () => {
    const administration = table.filter(
      ({ path }) => path === '/invite' || /^\/admin\/(?!oauth|custom-providers)/.test(path),
    );
    expect(administration.length).toBeGreaterThan(10);
    expect(administration.filter(({ spec }) => spec.guard !== 'service')).toEqual([]);
  });

  it.each(roles)('%s: rejects the most expensive body at the cost of an empty one', async (role) => {
    const rejecting = guarded.filter(({ spec }) => isRejected(role, spec));
    expect(rejecting.length).toBeGreaterThan(3);
    const mostExpensive = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    const before = await test.fingerprint();
    for (const row of rejecting) {
      const responses: [status: number, text: string, work: string[]][] = [];
      const body = watchedBody(mostExpensive);
      for (const sent of row.method === 'GET' ? [null] : [null, body.stream]) {
        let answer: [number, string] = [0, ''];
        const work = await recordQueries(test.options, async () => {
          const response = await send(row, role, sent);
          answer = [response.status, await response.text()];
        });
        responses.push([...answer, work]);
      }
      expect([400, 401, 403], row.name).toContain(responses[0]?.[0]);
      if (role === 'not fresh' && row.spec.guard !== 'service')
        expect(responses[0]?.[1]).toMatch(/reauthentication_needed|insufficient_aal/);
      expect(responses.at(-1), row.name).toEqual(responses[0]);
      expect(body.reads(), row.name).toBe(0);
    }
    expect(await test.fingerprint()).toBe(before);
  });

  it.each(open)('$name accepts a small body and runs no statement for a larger one', async (row) => {
    const before = await test.fingerprint();
    const largest = row.spec.body === 'form' ? [] : ([[16_000, 400]] as const);
    for (const [size, status] of [...largest, [16_400, 413], [1_000_000, 413]] as const) {
      const text = `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`;
      const work = await recordQueries(test.options, async () => {
        const declared = await send(row, 'anon key', text, contentTypeFor(row));
        const chunked = await send(row, 'anon key', watchedBody(text).stream, contentTypeFor(row));
        expect([declared.status, chunked.status]).toEqual([status, status]);
      });
      expect(work).toEqual([]);
    }
    expect(await test.fingerprint()).toBe(before);
  });

  it.each(withBody.filter(({ spec }) => spec.guard !== 'anyone'))(
    '$name rejects an expensive body of an authorized client at the cost of a small one',
    async (row) => {
      const role = row.spec.guard === 'service' ? 'service' : 'after the factor';
      const before = await test.fingerprint();
      const rejections: [status: number, work: string[]][] = [];
      for (const text of [
        '[]',
        `[${'{},'.repeat(300_000)}{}]`,
        `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      ]) {
        const { status, work, allocatedBytes } = await measureAllocation(async () => {
          let response: Response | undefined;
          const queries = await recordQueries(test.options, async () => {
            response = await send(row, role, text);
          });
          return { status: response?.status ?? 0, work: queries };
        });
        expect(allocatedBytes).toBeLessThan(maxAllocation);
        rejections.push([status, work]);
      }
      // A limit that depends on the body is counted after it, so the body must be small.
      const larger = typeof row.spec.limit === 'function' ? 413 : 400;
      expect(rejections.map(([status]) => status)).toEqual([400, larger, larger]);
      for (const [, work] of rejections) expect(work).toEqual(rejections[0]?.[1]);
      expect(await test.fingerprint()).toBe(before);
    },
  );

  it.each(withBody)('$name rejects bodies of another media type', async (row) => {
    const role = row.spec.guard === 'service' ? 'service' : 'after the factor';
    const before = await test.fingerprint();
    // For /verify, a form selects another endpoint, which accepts this media type.
    const form = row.path === '/verify' ? [] : ['application/x-www-form-urlencoded'];
    const types = ['text/plain', 'text/plain;charset=UTF-8', 'multipart/form-data; boundary=a', 'text/json'];
    for (const type of [...types, ...form]) {
      if (type === contentTypeFor(row)) continue;
      const response = await send(row, role, '{"email":"a@b.co","password":"x"}', type);
      expect([response.status, response.headers.get('x-sb-error-code')]).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    expect((await send(row, role, watchedBody('{}').stream, '')).status).toBe(415);
    expect(await test.fingerprint()).toBe(before);
  });

  it('accept an empty body without a media type', async () => {
    const row = table.find(({ name }) => name === 'POST /passkeys/authentication/options');
    if (!row) throw new Error('no such endpoint');
    for (const type of ['', 'application/json;charset=UTF-8', 'APPLICATION/JSON']) {
      expect((await send(row, 'anon key', null, type)).status).toBe(200);
    }
  });
});
