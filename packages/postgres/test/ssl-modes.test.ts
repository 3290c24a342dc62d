/** The meanings of `sslmode` and `channel_binding`, on a server with a certificate of an own authority. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { sql } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { withNewConnection } from '../src/client.ts';
import { readConnectionUrl } from '../src/connection-url.ts';
import { onServer } from '@lanternrock/testing/engines';
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

interface Login {
  readonly user: string;
  readonly port?: number;
}

async function open(query: string, host = '127.0.0.1', login?: Login): Promise<string> {
  const url = new URL(server.databaseUrl);
  url.hostname = host;
  if (login) Object.assign(url, { username: login.user, password: 'a secret', port: login.port ?? url.port });
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

/** Ends the TLS of the client and opens another one to the server, as an attacker or a proxy does. */
async function startRelay(): Promise<{ port: number; close(): void }> {
  const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
  const [cert, key] = [fs.readFileSync(file('unused.crt')), fs.readFileSync(file('unused.key'))];
  const relay = net.createServer((client) => {
    const upstream = net.connect(Number(new URL(server.databaseUrl).port), '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    upstream.write(sslRequest);
    client.once('data', () => {
      upstream.once('data', () => {
        client.write('S');
        const toClient = new TLSSocket(client, { isServer: true, cert, key });
        const toServer = connectTls({ socket: upstream, rejectUnauthorized: false });
        for (const socket of [toClient, toServer]) socket.on('error', () => socket.destroy());
        toClient.pipe(toServer).pipe(toClient);
      });
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return { port: (relay.address() as net.AddressInfo).port, close: () => relay.close() };
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

  describe('channel_binding', () => {
    beforeAll(async () => {
      const client = new pg.Client(server.superuserUrl);
      await client.connect();
      const rules = ['scram-sha-256', 'md5', 'password'].map(
        (method) => `host all ${method} all ${method}\n`,
      );
      for (const method of ['scram-sha-256', 'md5', 'password'])
        await client.query(
          `set password_encryption = '${method === 'md5' ? 'md5' : 'scram-sha-256'}';
           create role "${method}" login superuser password 'a secret'`,
        );
      const { rows } = await client.query<{ hba_file: string }>('show hba_file');
      const hbaFile = rows[0]?.hba_file ?? '';
      fs.writeFileSync(hbaFile, rules.join('') + fs.readFileSync(hbaFile, 'utf8'));
      await client.query('select pg_reload_conf()');
      await client.end();
    });

    it.each(['', 'channel_binding=disable', 'channel_binding=prefer', 'channel_binding=require'])(
      '%s authenticates with SCRAM',
      async (parameter) =>
        expect(await open(`?${parameter}`, '127.0.0.1', { user: 'scram-sha-256' })).toBe('TLS'),
    );

    it.each(['md5', 'password'])('require refuses the method %s, prefer does not', async (user) => {
      expect(await open('', '127.0.0.1', { user })).toBe('TLS');
      await expect(open('?channel_binding=require', '127.0.0.1', { user })).rejects.toThrow(
        'channel_binding=require: the server does not authenticate with SCRAM-SHA-256-PLUS',
      );
    });

    it('require also holds for a connection outside the pool', async () => {
      const url = Object.assign(new URL(server.databaseUrl), { username: 'password', password: 'a secret' });
      const connect = async (query: string): Promise<unknown> => {
        const { client, tls } = readConnectionUrl(`${url.href}${query}`);
        return withNewConnection({ ...client, ssl: tls[0] }, 5000, async () => 'connected');
      };
      expect(await connect('')).toBe('connected');
      await expect(connect('?channel_binding=require')).rejects.toThrow(
        'channel_binding=require: the server does not authenticate with SCRAM-SHA-256-PLUS',
      );
    });

    it('require refuses a server that asks for no password', async () => {
      await expect(open('?channel_binding=require')).rejects.toThrow(
        'channel_binding=require: the server does',
      );
    });

    it('finds a relay with a certificate of its own, unless it is disabled', async () => {
      const relay = await startRelay();
      const login = { user: 'scram-sha-256', port: relay.port };
      expect(await open('?sslmode=require&channel_binding=disable', '127.0.0.1', login)).toBe('TLS');
      for (const query of ['?sslmode=require', '?sslmode=require&channel_binding=require'])
        await expect(open(query, '127.0.0.1', login)).rejects.toThrow('SCRAM channel binding check failed');
      relay.close();
    });
  });

  it('prefer uses TLS again when the server offers it again', async () => {
    const database = await openExternal({
      url: server.databaseUrl,
      poolSize: 1,
      connectionTimeoutMs: 5000,
      maxLifetimeMs: 300,
      onConnectionError: () => {},
    });
    const usesTls = (): Promise<unknown> =>
      database.query(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`);
    for (const ssl of [false, true]) {
      for (const text of [`alter system set ssl = ${ssl}`, 'select pg_reload_conf()'])
        await onServer(server.superuserUrl, text);
      await expect.poll(usesTls, { timeout: 30_000 }).toEqual([{ ssl }]);
    }
    await database.close();
  });

  it('reads the certificate files again for each connection', async () => {
    const useCertificate = async (name: string, issuer: string): Promise<void> => {
      const [certificate, key] = ['crt', 'key'].map((kind) =>
        fs.readFileSync(file(`${name}.${kind}`), 'utf8'),
      );
      await server.useTls(certificate ?? '', key ?? '');
      fs.copyFileSync(file(`${issuer}.crt`), file('current.crt'));
    };
    await useCertificate('server', 'authority');
    const database = await openExternal({
      url: `${server.databaseUrl}?sslmode=verify-ca&sslrootcert=${file('current.crt')}`,
      poolSize: 1,
      connectionTimeoutMs: 5000,
      maxLifetimeMs: 1,
      onConnectionError: () => {},
    });
    const read = (): Promise<unknown> =>
      database
        .query(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)
        .catch(({ message }: Error) => message);
    await useCertificate('unused', 'other');
    await expect.poll(read, { timeout: 10_000 }).toEqual([{ ssl: true }]);
    fs.rmSync(file('current.crt'));
    await expect
      .poll(read, { timeout: 10_000 })
      .toBe(`DATABASE_URL: the file of sslrootcert, ${file('current.crt')}, cannot be read.`);
    await useCertificate('server', 'authority');
    await expect.poll(read, { timeout: 10_000 }).toEqual([{ ssl: true }]);
    await database.close();
  });

  it('a server that demands TLS: allow connects with it, disable is refused', async () => {
    await server.demandTls();
    expect(await open('?sslmode=allow')).toBe('TLS');
    await expect(open('?sslmode=disable')).rejects.toThrow('sslmode=disable: the server requires TLS');
  });
});
