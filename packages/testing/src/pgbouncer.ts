/** A PgBouncer for the tests, in front of a Postgres server. */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { unprivilegedUser, waitUntilConnectable } from './postgres-server.ts';

export interface PgBouncer {
  /** Returns the database URL through the pooler. */
  readonly url: string;
  /** Closes all connections and restarts in the given pool mode. */
  restart(mode: 'session' | 'transaction'): Promise<void>;
  stop(): Promise<void>;
}

const binaries = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];

/**
 * Starts PgBouncer.
 *
 * @param size server connections per database and user
 */
export async function startPgBouncer(
  url: string,
  mode: 'session' | 'transaction',
  size: number,
): Promise<PgBouncer> {
  const binary = binaries.find((file) => fs.existsSync(file));
  if (!binary)
    throw new Error('The tests need PgBouncer. Install it, for example: apt-get install pgbouncer');
  const target = new URL(url);
  const user = unprivilegedUser();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-pgbouncer-'));
  const port = await freePort();
  const file = (name: string, text: string): string => {
    const where = path.join(directory, name);
    fs.writeFileSync(where, text);
    return where;
  };
  const users = file('users', `"${target.username}" ""\n`);
  const connectionParams = `host=${target.hostname} port=${target.port}`;
  target.port = String(port);
  const run = async (poolMode: string): Promise<ChildProcess> => {
    const settings = file(
      'settings.ini',
      `[databases]
* = ${connectionParams}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${poolMode}
default_pool_size = ${size}
max_client_conn = 200
`,
    );
    // PgBouncer does not run as root.
    const started = spawn(binary, ['-q', settings], { ...user, cwd: directory, stdio: 'ignore' });
    await waitUntilConnectable(target.href, started);
    return started;
  };
  if (user) fs.chownSync(directory, user.uid, user.gid);
  let server = await run(mode);
  const end = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: target.href,
    restart: async (poolMode) => {
      await end();
      server = await run(poolMode);
    },
    stop: async () => {
      await end();
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}
