/** Starts the built product as a process of its own and reads what it tells and mails. */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import PostalMime, { type Email } from 'postal-mime';

export const productEntry = fileURLToPath(new URL('../../apps/server/bin/lanternrock.mjs', import.meta.url));

export interface Instance {
  readonly url: string;
  readonly dataDir: string;
  /** The one-time link of the first administrator, as printed. */
  readonly firstLink: string;
  /** The link that opens the mailbox in a browser. */
  mailboxLink(): string;
  readonly pid: number;
  /** Everything that it wrote to standard output and standard error. */
  log(): string;
  /** The key that stands for the role service_role. */
  serviceRoleKey(): string;
  /** The public key that browsers get. */
  anonKey(): string;
  /** Kept mails, oldest first. */
  mails(): Promise<Email[]>;
  /** Waits for a mail to this address after the first `skip` ones. */
  mailTo(address: string, skip?: number): Promise<Email>;
  /** Runs a command of the command line on this product's data. */
  command(...args: string[]): Promise<{ code: number; output: string }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export interface InstanceOptions {
  readonly environment?: Record<string, string>;
  /** Keeps an existing directory; without it a new one is made and removed with `stop`. */
  readonly dataDir?: string;
  /** The product makes its embedded database itself, instead of opening a copy of the run's template. */
  readonly fromNothing?: boolean;
  /** A command that runs the product in its turn by exec, for example one that sets limits. */
  readonly through?: readonly string[];
}

const inherited = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? os.homedir(),
});

export async function startInstance({
  environment = {},
  dataDir,
  fromNothing = false,
  through = [],
}: InstanceOptions = {}): Promise<Instance> {
  const directory = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-e2e-'));
  const template = process.env['PRODUCT_TEMPLATE'];
  const needsDatabase = dataDir === undefined && environment['DATABASE_URL'] === undefined;
  if (template !== undefined && needsDatabase && !fromNothing)
    fs.cpSync(template, path.join(directory, 'database'), { recursive: true });
  const variables: Record<string, string> = {
    ...inherited(),
    DATA_DIR: directory,
    PORT: '0',
    // A busy machine must not decide a test: it starves the hashing process, whose priority is the lowest.
    AUTH_TIMEOUT: '120000',
    ...environment,
  };
  const [command, ...args] = [...through, process.execPath, productEntry, 'start'];
  const child = spawn(command, args, {
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = { text: '' };
  const { url, firstLink } = await announced(child, directory, told);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  const apiKey = (setting: string, file: string): string =>
    variables[setting] ?? fs.readFileSync(path.join(directory, 'keys', file), 'utf8').trim();
  // A kept mail never changes, and reading all of them again for each one adds up.
  const read = new Map<string, Email>();
  const mails = async (): Promise<Email[]> => {
    const folder = path.join(directory, 'mailbox');
    if (!fs.existsSync(folder)) return [];
    const files = fs
      .readdirSync(folder)
      .filter((name) => /^[^.].*\.eml$/.test(name))
      .sort();
    return Promise.all(
      files.map(async (name) => {
        const mail = read.get(name) ?? (await PostalMime.parse(fs.readFileSync(path.join(folder, name))));
        read.set(name, mail);
        return mail;
      }),
    );
  };
  return {
    url,
    dataDir: directory,
    firstLink,
    mailboxLink: () => fs.readFileSync(path.join(directory, 'mailbox-link'), 'utf8').trim(),
    pid: child.pid ?? 0,
    log: () => told.text,
    serviceRoleKey: () => apiKey('SERVICE_ROLE_KEY', 'service-role-key'),
    anonKey: () => apiKey('ANON_KEY', 'anon-key'),
    mails,
    mailTo: async (address, skip = 0) => {
      const until = Date.now() + 30_000;
      while (Date.now() < until) {
        const found = (await mails()).filter((mail) => mail.to?.some((to) => to.address === address))[skip];
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`No mail to ${address} within 30 s`);
    },
    command: (...args) => runCommand(args, variables),
    kill,
    stop: async () => {
      await kill('SIGTERM');
      if (!dataDir) fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Reads the address from standard output and the link from where a start without terminal puts it. */
async function announced(
  child: ChildProcess,
  directory: string,
  told: { text: string },
): Promise<{ url: string; firstLink: string }> {
  child.stderr?.on('data', (chunk: Buffer) => (told.text += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      told.text += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(told.text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The product ended with code ${code}: ${told.text}`)));
  });
  const file = path.join(directory, 'first-link');
  return { url, firstLink: fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '' };
}

export async function runCommand(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [productEntry, ...args], {
    env: { ...inherited(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Unlike its exit, this comes after the last of the output.
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  return { code, output };
}

/** The first link in a mail's text part. */
export function linkIn(mail: Email): string {
  const link = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0];
  if (!link) throw new Error(`No link in the mail "${mail.subject ?? ''}"`);
  return link;
}
