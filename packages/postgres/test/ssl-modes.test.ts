/** The meanings of `sslmode`, on a server with a certificate of an own authority. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';

let server: PostgresServer;
let directory: string;
const file = (name: string): string => path.join(directory, name);

/** Creates a certificate for the name `localhost`, signed by a new authority. */
function createCertificates(authority: string, name: string): void {
  const openssl = (...args: string[]): unknown =>
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const self = ['-subj', `/CN=${authority}`, '-keyout', `${authority}.key`, '-out', `${authority}.crt`];
  openssl('req', '-x509', ...key, ...self);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const signed = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`];
  openssl('req', '-x509', ...key, ...subject, ...signed, '-keyout', `${name}.key`, '-out', `${name}.crt`);
}

async function open(query: string, host = '127.0.0.1'): Promise<string> {
  const url = new URL(server.databaseUrl);
  url.hostname = host;
  const errors: string[] = [];
  const database = await openExternal({
    url: `${url.href}${query}`,
    poolSize: 1,
    connectionTimeoutMs: 5000,
    onConnectionError: (error) => errors.push(error.message),
  });
  const [row] = await database.query<{ ssl: boolean }>(
    sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`,
  );
  await database.close();
  return row?.ssl ? 'TLS' : 'plain';
}

beforeAll(async () => {
  server = await startPostgres();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-tls-'));
  createCertificates('authority', 'server');
  createCertificates('other', 'unused');
});
afterAll(async () => {
  await server.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

describe('a server without TLS', () => {
  it.each(['', '?sslmode=disable', '?sslmode=allow', '?sslmode=prefer'])('%s connects', async (query) => {
    expect(await open(query)).toBe('plain');
  });
  it.each(['require', 'verify-full'])('sslmode=%s is refused', async (mode) => {
    await expect(open(`?sslmode=${mode}`)).rejects.toThrow(
      `sslmode=${mode}: the server does not offer TLS. Turn on ssl on the server`,
    );
  });
});

describe('a server with a certificate of its own authority', () => {
  beforeAll(async () => {
    await server.useTls(
      fs.readFileSync(file('server.crt'), 'utf8'),
      fs.readFileSync(file('server.key'), 'utf8'),
    );
  });
  const authority = (): string => `sslrootcert=${file('authority.crt')}`;
  const other = (): string => `sslrootcert=${file('other.crt')}`;

  it.each([
    ['disable', 'plain'],
    ['allow', 'plain'],
    ['prefer', 'TLS'],
    ['require', 'TLS'],
  ])('sslmode=%s connects: %s', async (mode, kind) => {
    expect(await open(`?sslmode=${mode}`)).toBe(kind);
  });

  it('verify-ca compares the authority, and verify-full the name, too', async () => {
    expect(await open(`?sslmode=verify-ca&${authority()}`)).toBe('TLS');
    expect(await open(`?sslmode=verify-full&${authority()}`, 'localhost')).toBe('TLS');
    await expect(open(`?sslmode=verify-full&${authority()}`)).rejects.toThrow(
      'sslmode=verify-full: the certificate of the server is for another name',
    );
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      await expect(open(`?sslmode=${mode}&${other()}`, 'localhost')).rejects.toThrow(
        `sslmode=${mode}: the certificate of the server is not trusted`,
      );
    for (const query of ['?sslmode=verify-full', '?sslrootcert=system'])
      await expect(open(query, 'localhost')).rejects.toThrow(
        'sslmode=verify-full: the certificate of the server is not trusted',
      );
  });

  it('a server that demands TLS: allow connects with it, disable is refused', async () => {
    await server.demandTls();
    expect(await open('?sslmode=allow')).toBe('TLS');
    await expect(open('?sslmode=disable')).rejects.toThrow('sslmode=disable: the server demands TLS');
  });
});
