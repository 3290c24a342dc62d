/** nginx and HAProxy for the tests, in front of the service. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const installed = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin'].map((folder) => `${folder}/${name}`).find(fs.existsSync);

export const nginx = installed('nginx');
export const haproxy = installed('haproxy');

export interface ProxyServer {
  stop(): Promise<void>;
}

/** @param site the content of the block `http` */
export async function startNginx(site: string): Promise<ProxyServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n');
  const file = path.join(folder, 'nginx.conf');
  fs.writeFileSync(
    file,
    `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`,
  );
  return run(nginx ?? '', ['-p', folder, '-c', file], folder);
}

export async function startHaproxy(configuration: string): Promise<ProxyServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(file, configuration);
  return run(haproxy ?? '', ['-db', '-f', file], folder);
}

async function run(program: string, args: readonly string[], folder: string): Promise<ProxyServer> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a certificate for localhost and its key. */
export function createCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}
