/** Starts the built service as a separate process and reads its output and its emails. */
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
  /** The printed one-time link of the first administrator. */
  readonly firstLink: string;
  /** Returns the link to the local mailbox. */
  mailboxLink(): string;
  readonly pid: number;
  /** Returns standard output and standard error. */
  log(): string;
  /** Returns the secret key (`service_role`). */
  serviceRoleKey(): string;
  /** Returns the publishable key. */
  anonKey(): string;
  /** Returns the emails that the mail server of the test received, or that the local mailbox saved, oldest first. */
  mails(): Promise<Email[]>;
  /** Waits for an email to this address. Skips the first `skip` ones. */
  mailTo(address: string, skip?: number): Promise<Email>;
  /** Runs a command of the CLI on the data of this instance. */
  command(...args: string[]): Promise<{ code: number; output: string }>;
  /** Returns the exit code, or null if the signal ended the process. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  stop(): Promise<void>;
}

export interface InstanceOptions {
  readonly environment?: Record<string, string>;
  /** Existing data directory. By default `startInstance` creates one and `stop` removes it. */
  readonly dataDir?: string;
  /** Starts with an empty data directory instead of a copy of the template. */
  readonly fromNothing?: boolean;
  /** Options of the command `start`. */
  readonly flags?: readonly string[];
  /** Path of the program. By default that of the repository. */
  readonly entry?: string;
  /** Path of the Node.js program. By default that of the test. */
  readonly node?: string;
  /** Receives the emails. By default the instance saves them in its local mailbox. */
  readonly mailServer?: { readonly url: string; readonly messages: readonly { readonly raw: string }[] };
  /** A command that executes the service, for example one that sets resource limits. */
  readonly through?: readonly string[];
}

const inheritedEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? os.homedir(),
});

export async function startInstance({
  environment = {},
  dataDir,
  fromNothing = false,
  flags = [],
  entry = productEntry,
  node = process.execPath,
  mailServer,
  through = [],
}: InstanceOptions = {}): Promise<Instance> {
  const directory = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-e2e-'));
  const template = process.env['INSTANCE_TEMPLATE'];
  const needsDatabase = dataDir === undefined && environment['DATABASE_URL'] === undefined;
  if (template !== undefined && needsDatabase && !fromNothing)
    fs.cpSync(template, path.join(directory, 'database'), { recursive: true });
  const variables: Record<string, string> = {
    ...inheritedEnvironment(),
    DATA_DIR: directory,
    PORT: '0',
    // A busy machine starves the hashing process, which has the lowest priority.
    AUTH_TIMEOUT: '120000',
    ...(mailServer && { SMTP_URL: mailServer.url }),
    ...environment,
  };
  const [executable = node, ...startArgs] = [...through, node, entry, 'start', ...flags];
  const child = spawn(executable, startArgs, {
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  const { url, firstLink } = await readStartOutput(child, directory, output);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  const apiKey = (setting: string, file: string): string =>
    variables[setting] ?? fs.readFileSync(path.join(directory, 'keys', file), 'utf8').trim();
  const mails = createEmailReader(() =>
    mailServer ? mailServer.messages.map(({ raw }) => raw) : readMailbox(path.join(directory, 'mailbox')),
  );
  return {
    url,
    dataDir: directory,
    firstLink,
    mailboxLink: () => fs.readFileSync(path.join(directory, 'mailbox-link'), 'utf8').trim(),
    pid: child.pid ?? 0,
    log: () => output.text,
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
      throw new Error(`No email to ${address} within 30 s`);
    },
    command: (...args) => runCommand(args, variables, entry),
    kill,
    stop: async () => {
      await kill('SIGTERM');
      if (!dataDir) fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

const readMailbox = (mailbox: string): string[] =>
  (fs.existsSync(mailbox) ? fs.readdirSync(mailbox) : [])
    .filter((name) => /^[^.].*\.eml$/.test(name))
    .sort()
    .map((name) => fs.readFileSync(path.join(mailbox, name), 'utf8'));

/** Parses each email once. */
function createEmailReader(readSources: () => string[]): () => Promise<Email[]> {
  const parsed = new Map<string, Email>();
  return async () =>
    Promise.all(
      readSources().map(async (source) => {
        const mail = parsed.get(source) ?? (await PostalMime.parse(source));
        parsed.set(source, mail);
        return mail;
      }),
    );
}

/** Reads the URL from standard output and the first link from its file, where a start without a terminal stores it. */
async function readStartOutput(
  child: ChildProcess,
  directory: string,
  output: { text: string },
): Promise<{ url: string; firstLink: string }> {
  child.stderr?.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output.text += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(output.text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The instance exited with code ${code}: ${output.text}`)));
  });
  const file = path.join(directory, 'first-link');
  return { url, firstLink: fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '' };
}

export async function runCommand(
  args: string[],
  environment: Record<string, string>,
  entry = productEntry,
): Promise<{ code: number; output: string }> {
  // Not the default directory, which is the same one for all tests.
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-command-'));
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...inheritedEnvironment(), DATA_DIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // `close` follows the last output, `exit` may precede it.
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  fs.rmSync(directory, { recursive: true, force: true });
  return { code, output };
}

/**
 * Returns the first link in the text part of an email.
 *
 * @throws Error if there is none
 */
export function linkIn(mail: Email): string {
  const link = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0];
  if (!link) throw new Error(`No link in the email "${mail.subject ?? ''}"`);
  return link;
}
