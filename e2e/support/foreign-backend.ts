/**
 * Minimal Supabase-compatible backend that supports only the calls the console needs, and no extension of
 * this project. It sends no totals and rejects unknown columns.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Row = Record<string, unknown>;

export interface RecordedRequest {
  readonly method: string;
  /** Path below the origin, with the query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Parsed JSON, or null without a body. */
  readonly body: unknown;
}

/** A response that replaces the regular one. `null` closes the connection without a response. */
export type Substitute = {
  status: number;
  body: string | object;
  headers?: Readonly<Record<string, string>>;
} | null;

const columns: Readonly<Record<string, readonly string[]>> = {
  profiles: ['id', 'full_name'],
  accounts:
    'id name slug account_type address city state zip_code status created_by created_at updated_at'.split(
      ' ',
    ),
  user_roles: ['user_id', 'role'],
  account_members: ['user_id', 'status', 'accounts'],
  user_invitations: 'id full_name email invited_at status expires_at'.split(' '),
  notification_settings: ['id', 'sender_email', 'sender_name'],
};

export const password = 'lantern on the pier 7';
const userId = '6f9619ff-8b86-4d11-b42d-00c04fc964ff';
export const owner = { id: userId, email: 'olga@example.org', fullName: 'Olga Owner' };

/** Pending invitation with the minimal set of fields. */
export const invitation: Row = {
  id: 'i1',
  full_name: 'Robin Hart',
  email: 'robin@example.org',
  invited_at: '2026-01-02T10:00:00Z',
  status: 'pending',
  expires_at: '2026-01-09T10:00:00Z',
};

/** Returns an unsigned token. Only the backend would verify the signature. */
const token = (aal: string): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return `${part({ alg: 'HS256' })}.${part({ sub: userId, aal, exp, n: (tokens += 1) })}.c2ln`;
};
let tokens = 0;

export async function startForeignBackend() {
  const tables: Record<string, Row[]> = {};
  const user: Row & { factors: Row[]; identities: Row[] } = { factors: [], identities: [] };
  const requests: RecordedRequest[] = [];
  const behavior = { ignoresLimit: false };
  /** Requests to unknown endpoints. */
  const unknown: string[] = [];
  const substitutes: { pattern: RegExp; response: Substitute; left: number }[] = [];

  const session = (aal = 'aal1') => ({
    access_token: token(aal),
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    refresh_token: 'refresh-token',
    user,
  });
  const reset = (): void => {
    for (const name of Object.keys(columns)) tables[name] = [];
    tables['profiles'] = [{ id: userId, full_name: owner.fullName }];
    tables['user_roles'] = [{ user_id: userId, role: 'platform_admin' }];
    const empty = { aud: 'authenticated', role: 'authenticated', app_metadata: {}, user_metadata: {} };
    Object.assign(user, { ...empty, id: userId, email: owner.email, factors: [], identities: [] });
    for (const list of [requests, unknown, substitutes]) list.length = 0;
    behavior.ignoresLimit = false;
  };
  reset();

  type Result = { status: number; body?: unknown };
  const failure = (status: number, error_code: string, msg: string): Result => ({
    status,
    body: { code: status, error_code, msg },
  });

  const authRoutes: readonly [RegExp, (body: Row, match: readonly string[]) => Result][] = [
    [
      /^POST \/token\?grant_type=password$/,
      ({ email, password: typed }) =>
        email === owner.email && typed === password
          ? { status: 200, body: session() }
          : failure(400, 'invalid_credentials', 'Invalid login credentials'),
    ],
    [/^POST \/token\?grant_type=(?:refresh_token|id_token|pkce)$/, () => ({ status: 200, body: session() })],
    [/^POST \/logout(?:\?scope=\w+)?$/, () => ({ status: 204 })],
    [/^POST \/recover(?:\?redirect_to=.+)?$/, () => ({ status: 200, body: {} })],
    [/^GET \/user$/, () => ({ status: 200, body: user })],
    [/^PUT \/user$/, () => ({ status: 200, body: user })],
    [
      /^GET \/(?:user\/identities\/)?authorize\?.+$/,
      () => ({ status: 200, body: { url: '/auth/v1/provider' } }),
    ],
    [
      /^DELETE \/user\/identities\/([^/]+)$/,
      (_body, [, id]) => {
        user.identities = user.identities.filter(({ identity_id }) => identity_id !== id);
        return { status: 200, body: {} };
      },
    ],
    [
      /^POST \/factors$/,
      ({ friendly_name, factor_type }) => {
        const created_at = new Date().toISOString();
        user.factors.push({ id: 'factor-1', friendly_name, factor_type, status: 'unverified', created_at });
        const totp = {
          qr_code: '<svg xmlns="http://www.w3.org/2000/svg"/>',
          secret: 'ABCD',
          uri: 'otpauth://',
        };
        return { status: 200, body: { id: 'factor-1', type: factor_type, friendly_name, totp } };
      },
    ],
    [
      /^POST \/factors\/[^/]+\/challenge$/,
      () => ({ status: 200, body: { id: 'challenge-1', expires_at: 1e10 } }),
    ],
    [
      /^POST \/factors\/([^/]+)\/verify$/,
      ({ code }, [, id]) => {
        if (code !== '123456') return failure(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
        for (const factor of user.factors) if (factor['id'] === id) factor['status'] = 'verified';
        return { status: 200, body: session('aal2') };
      },
    ],
    [
      /^DELETE \/factors\/([^/]+)$/,
      (_body, [, id]) => {
        user.factors = user.factors.filter((factor) => factor['id'] !== id);
        return { status: 200, body: { id } };
      },
    ],
    [/^GET \/\.well-known\/jwks\.json$/, () => ({ status: 200, body: { keys: [] } })],
  ];

  const dataError = (status: number, code: string, message: string): Result => ({
    status,
    body: { code, message, details: null, hint: null },
  });
  /** Data API with equality filters, a search, one order, limit and offset. */
  const data = ({ method, path, headers, body }: RecordedRequest): Result | null => {
    const url = new URL(path, 'http://backend');
    const name = url.pathname.slice('/rest/v1/'.length);
    const known = columns[name];
    if (!known) return null;
    let rows = [...(tables[name] ?? [])];
    for (const [key, value] of url.searchParams) {
      const column = key === 'order' ? (value.split(/[.,]/)[0] ?? '') : key;
      if (['select', 'limit', 'offset', 'columns'].includes(key)) continue;
      if (key === 'or') {
        const matches = [...value.matchAll(/(\w+)\.imatch\."([^"]*)"/g)];
        rows = rows.filter((row) =>
          matches.some(([, field = '', text = '']) => new RegExp(text, 'i').test(String(row[field] ?? ''))),
        );
        continue;
      }
      if (!known.includes(column)) return dataError(400, '42703', `column ${name}.${column} does not exist`);
      if (key === 'order') {
        const sign = value.startsWith(`${column}.desc`) ? -1 : 1;
        rows.sort((a, b) => sign * String(a[column]).localeCompare(String(b[column])));
      } else if (value.startsWith('eq.')) rows = rows.filter((row) => String(row[key]) === value.slice(3));
      else return null;
    }
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = behavior.ignoresLimit ? null : url.searchParams.get('limit');
    rows = rows.slice(offset, offset + Number(limit ?? rows.length));
    const sent = (body ?? {}) as Row;
    const extra = Object.keys(sent).find((column) => !known.includes(column));
    if (extra) return dataError(400, 'PGRST204', `Could not find the '${extra}' column of '${name}'`);
    if (method === 'PATCH') for (const row of rows) Object.assign(row, sent);
    if (method === 'POST') {
      const created_at = new Date().toISOString();
      rows = [
        {
          id: `${name}-${(tables[name] ?? []).length}`,
          ...(known.includes('created_at') ? { created_at, updated_at: created_at } : {}),
          ...sent,
        },
      ];
      tables[name]?.push(...rows);
    }
    if (method !== 'GET' && !String(headers['prefer']).includes('return=representation'))
      return { status: method === 'POST' ? 201 : 204 };
    const status = method === 'POST' ? 201 : 200;
    if (!String(headers.accept).includes('pgrst.object')) return { status, body: rows };
    if (rows.length === 1) return { status, body: rows[0] };
    return dataError(406, 'PGRST116', 'JSON object requested, multiple (or no) rows returned');
  };

  const respond = (request: RecordedRequest): Result | null => {
    const line = `${request.method} ${request.path}`;
    if (request.path.startsWith('/rest/v1/')) return data(request);
    if (line === 'POST /functions/v1/send-user-invitation') {
      const { email, full_name } = request.body as Row;
      const invited_at = new Date().toISOString();
      if (!tables['user_invitations']?.some((row) => row['email'] === email))
        tables['user_invitations']?.push({
          id: `invitation-${String(email)}`,
          email,
          full_name,
          invited_at,
          status: 'pending',
          expires_at: invited_at,
        });
      return { status: 200, body: { success: true } };
    }
    for (const [pattern, run] of authRoutes) {
      const match = pattern.exec(line.replace(' /auth/v1', ' '));
      if (match) return run((request.body ?? {}) as Row, match);
    }
    return null;
  };

  const server = http.createServer((incoming, response) => {
    void (async () => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Expose-Headers', '*');
      response.setHeader('Access-Control-Allow-Headers', '*, authorization, apikey, content-type, prefer');
      response.setHeader('Access-Control-Allow-Methods', '*, GET, POST, PUT, PATCH, DELETE');
      if (incoming.method === 'OPTIONS') return response.writeHead(204).end();
      const text = (await incoming.toArray()).join('');
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: text === '' ? null : (JSON.parse(text) as unknown) };
      requests.push(request);
      const substitute = substitutes.find(
        ({ pattern, left }) => left > 0 && pattern.test(`${method} ${path}`),
      );
      if (substitute) substitute.left -= 1;
      if (substitute?.response === null) return response.destroy();
      const result = substitute?.response ?? respond(request);
      if (!result) unknown.push(`${method} ${path}`);
      const { status, body } = result ?? dataError(404, 'PGRST125', 'Invalid path specified in request URL');
      const type = typeof body === 'string' ? 'text/html' : 'application/json';
      const contentType = body === undefined ? {} : { 'Content-Type': type };
      response.writeHead(status, { ...contentType, ...substitute?.response?.headers });
      return response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tables,
    user,
    behavior,
    requests,
    unknown,
    session,
    /** Resets the data to one administrator. */
    reset,
    /** Replaces the response of the next `times` requests whose method and path match. */
    substitute: (pattern: RegExp, response: Substitute, times = Infinity): void =>
      void substitutes.unshift({ pattern, response, left: times }),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type ForeignBackend = Awaited<ReturnType<typeof startForeignBackend>>;
