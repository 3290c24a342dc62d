import { pino } from 'pino';
import { openExternal } from '@lanternrock/postgres/external';
import { createRestService } from '@lanternrock/rest';
import { defaultRestSettings } from '@lanternrock/rest/settings';
import type { PlainResponse, Principal } from '@lanternrock/rest/types';

/** Reads the directors with their films from a database with the tables `directors` and `films`. */
export async function readDirectors(databaseUrl: string, token: string): Promise<PlainResponse> {
  const pool = { poolSize: 4, connectionTimeoutMs: 10_000, onConnectionError: () => {} };
  const database = await openExternal({ url: databaseUrl, ...pool });
  const claims = JSON.stringify({ role: 'authenticated' });
  const member: Principal = { role: 'authenticated', claims, userId: null, sessionId: null, aal: null };
  const rest = await createRestService({
    settings: { ...defaultRestSettings, MAX_ROWS: 100 },
    database,
    authenticate: async (headers) =>
      headers.get('authorization') === 'Bearer secret'
        ? member
        : { rejected: 'signature', message: 'The token is unknown' },
    sessionFunctions: null,
    sessionErrors: {},
    idempotencyStore: null,
    reserveWrites: null,
    serverName: 'films',
    apiName: 'Films',
    apiUrl: new URL('https://films.example.org/'),
    log: pino(),
    now: () => new Date(),
  });
  const response = await rest.handle({
    method: 'GET',
    path: '/directors',
    query: 'select=name,films(title)&films.order=title',
    headers: new Headers({ Authorization: `Bearer ${token}` }),
    requestId: 'example',
    origin: 'interface',
    readBody: async () => new ArrayBuffer(0),
    onClientAbort: () => () => {},
  });
  await database.close();
  return response;
}
