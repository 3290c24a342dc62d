/** A Postgres server for the tests, from installed binaries, in a temporary directory on loopback. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { waitUntilAccepting } from './wait-until-accepting.ts';

export interface PostgresServer {
  readonly version: string;
  /** Database URL of the superuser. */
  readonly superuserUrl: string;
  /** Database URL of an ordinary owner with CREATEROLE and CREATEDB, who does not own the database. */
  readonly ownerUrl: string;
  /** Creates an empty database that the ordinary owner owns. */
  readonly databaseUrl: string;
  /**
   * Stops the server with this signal (SIGINT: fast shutdown, SIGQUIT: immediate shutdown) and starts it
   * again.
   */
  restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts a synchronous standby: the server acknowledges a write when the standby has it. */
  startStandby(): Promise<Standby>;
  /** Turns TLS on, with a certificate and its key in PEM. */
  useTls(certificate: string, key: string): Promise<void>;
  /** Rejects connections without TLS. */
  demandTls(): Promise<void>;
  /** Requires a password from this role. All other roles are trusted. */
  demandPassword(role: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Standby {
  readonly port: number;
  /** Makes it a primary; returns when it accepts writes. */
  promote(): void;
  stop(): Promise<void>;
}

/** Directories with `initdb`, newest version first. `TEST_POSTGRES_BIN` names another one. */
function binaryFolders(): string[] {
  const chosen = process.env['TEST_POSTGRES_BIN'] ?? '';
  if (chosen !== '') return [chosen];
  const root = '/usr/lib/postgresql';
  const debian = fs.existsSync(root)
    ? fs
        .readdirSync(root)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => path.join(root, version, 'bin'))
    : [];
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter);
  return [...onPath, ...debian, '/opt/homebrew/opt/postgresql@17/bin', '/usr/local/pgsql/bin'];
}

function findPostgres(): string {
  const directory = binaryFolders().find((candidate) => fs.existsSync(path.join(candidate, 'initdb')));
  if (!directory) {
    throw new Error(
      'The tests need Postgres 15 or newer. Install it, for example: apt-get install postgresql',
    );
  }
  // A directory of links can lack the other programs.
  return path.dirname(fs.realpathSync(path.join(directory, 'initdb')));
}

/** initdb does not run as root, so root starts the server as the user of the package. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres');
  if (!entry) throw new Error('The tests run as root and need the user "postgres" to start a server.');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** @param binDir directory of the programs; by default those of the machine */
export async function startPostgres(binDir = findPostgres()): Promise<PostgresServer> {
  const user = unprivilegedUser();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-postgres-'));
  if (user) fs.chownSync(directory, user.uid, user.gid);
  const data = path.join(directory, 'data');
  const as = { ...user, cwd: directory };
  execFileSync(
    path.join(binDir, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...as, stdio: 'pipe' },
  );
  const port = await freePort();
  const run = (): ChildProcess =>
    spawn(
      path.join(binDir, 'postgres'),
      // Speed before durability: these databases exist for one run.
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F', '-c', 'max_connections=300'],
      { ...as, stdio: 'ignore' },
    );
  let server = run();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  const superuserUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntilConnectable(superuserUrl, server);
  const client = new pg.Client(superuserUrl);
  await client.connect();
  await client.query('create role lanternrock_owner login createrole createdb');
  await client.query('create database lanternrock owner lanternrock_owner');
  /** Runs a statement and reloads the configuration, which takes effect for connections of a later moment. */
  const configure = async (statement: string): Promise<void> => {
    const admin = new pg.Client(superuserUrl);
    await admin.connect();
    await admin.query(statement);
    const loadTime = 'select pg_conf_load_time() as at';
    const before = await admin.query<{ at: Date }>(loadTime);
    await admin.query('select pg_reload_conf()');
    let loadedAt = before.rows[0]?.at;
    while (loadedAt?.getTime() === before.rows[0]?.at.getTime()) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      loadedAt = (await admin.query<{ at: Date }>(loadTime)).rows[0]?.at;
    }
    await admin.end();
  };
  const version = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return {
    version: version.rows[0]?.server_version ?? 'unknown',
    superuserUrl,
    ownerUrl: `postgres://lanternrock_owner@127.0.0.1:${port}/postgres`,
    databaseUrl: `postgres://lanternrock_owner@127.0.0.1:${port}/lanternrock`,
    restart: async (signal) => {
      await end(signal);
      server = run();
      await waitUntilConnectable(superuserUrl, server);
    },
    startStandby: async () => {
      const standby = await startStandby({ binDir, as, directory, primaryPort: port });
      await configure(`alter system set synchronous_standby_names = '*'`);
      return standby;
    },
    useTls: async (certificate, key) => {
      for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
        fs.writeFileSync(path.join(data, name), text, { mode: 0o600 });
        if (user) fs.chownSync(path.join(data, name), user.uid, user.gid);
      }
      await configure('alter system set ssl = on');
    },
    demandTls: async () => {
      fs.writeFileSync(path.join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
      await configure('select 1');
    },
    demandPassword: async (role) => {
      const file = path.join(data, 'pg_hba.conf');
      const rules = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, `host all ${role} 127.0.0.1/32 scram-sha-256\n${rules}`);
      await configure('select 1');
    },
    stop: async () => {
      await end('SIGINT');
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface StandbyOptions {
  readonly binDir: string;
  /** User and working directory of the process. */
  readonly as: { readonly uid?: number; readonly gid?: number; readonly cwd: string };
  readonly directory: string;
  readonly primaryPort: number;
}

async function startStandby({ binDir, as, directory, primaryPort }: StandbyOptions): Promise<Standby> {
  const data = path.join(directory, 'standby');
  const from = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'postgres'];
  execFileSync(
    path.join(binDir, 'pg_basebackup'),
    ['-D', data, ...from, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'],
    { ...as, stdio: 'pipe' },
  );
  const port = await freePort();
  const server = spawn(
    path.join(binDir, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F', '-c', 'max_connections=300'],
    { ...as, stdio: 'ignore' },
  );
  await waitUntilConnectable(`postgres://postgres@127.0.0.1:${port}/postgres`, server);
  return {
    port,
    promote: () => {
      execFileSync(path.join(binDir, 'pg_ctl'), ['promote', '-w', '-D', data], { ...as, stdio: 'pipe' });
    },
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGQUIT');
      await ended;
    },
  };
}

/** Waits until a newly started server accepts connections. */
export const waitUntilConnectable = (url: string, server: ChildProcess): Promise<void> =>
  waitUntilAccepting(server, async () => {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  });
