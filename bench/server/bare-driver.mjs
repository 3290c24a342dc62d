/**
 * The upper bound: no framework, no request parsing, no checks. Runs the same statements in the same round
 * trip for one known URL and method, with a cache of verified tokens.
 */
import http from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { loadSource } from './load-source.mjs';

const { DATABASE_URL: url, JWKS_URL: jwks, PORT: port, STATEMENT: text, METHOD: method } = process.env;
const { openExternal } = await loadSource('packages/postgres/src/open-external.ts');
const { settingsStatements } = await loadSource('packages/rest/src/run/request-settings.ts');
const { sessionFunctions } = await loadSource('apps/server/src/database/session-check.ts');
const database = await openExternal({
  url,
  poolSize: 10,
  connectionTimeoutMs: 10_000,
  onConnectionError: console.error,
});
const settingsStatement = settingsStatements(database, sessionFunctions);
const keys = createRemoteJWKSet(new URL(jwks));
const verified = new Map();
const values = JSON.parse(process.env.VALUES);

async function verifyToken(token) {
  const known = verified.get(token);
  if (known) return known;
  const { payload } = await jwtVerify(token, keys);
  const principal = {
    role: payload.role,
    claims: JSON.stringify(payload),
    userId: payload.sub,
    sessionId: payload.session_id,
    aal: payload.aal,
  };
  verified.set(token, principal);
  return principal;
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function handle(request, response) {
  // The readiness check runs before the measurement and must not write.
  if (request.method !== method) return response.end();
  try {
    const principal = await verifyToken(request.headers.authorization.slice('Bearer '.length));
    const write = request.method === 'POST';
    const scope = {
      principal,
      readOnly: !write,
      statementTimeoutMs: 8000,
      searchPath: '"public"',
      requestId: '',
      timeZone: null,
      requestSettings: null,
    };
    const sent = write ? [await readBody(request)] : values;
    const statements = [settingsStatement(scope), { text, values: sent }];
    const [, result] = await database.batch(statements, { planKey: principal.role });
    const body = result.rows[0].find((value) => value?.startsWith('['));
    response.writeHead(write ? 201 : 200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(500);
    response.end();
  }
}

http.createServer((request, response) => void handle(request, response)).listen(Number(port), '127.0.0.1');
