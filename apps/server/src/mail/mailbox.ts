/**
 * Without a mail server, mails are kept as files in DATA_DIR/mailbox, each exactly as it would have
 * gone out. Links in them sign people in, so the folder is readable by its owner only.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import type { EmailTransport } from './email-transport.ts';

/** Kept mails; older ones go. */
const keptMails = 1000;

export const mailboxDir = (config: Config): string => path.join(config.DATA_DIR, 'mailbox');

/** File names: time in UTC and a counter, so that names sort by age, and something of their own. */
const fileName = /^\d{8}T\d{9}Z-\d{6}-[0-9a-f]{8}\.eml$/;

export function createMailboxTransport(config: Config): EmailTransport {
  const folder = mailboxDir(config);
  let counter = 0;
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(message) {
      try {
        const { message: raw } = await builder.sendMail(message);
        if (!Buffer.isBuffer(raw)) throw new TypeError('The mail was not buffered');
        counter = (counter + 1) % 1_000_000;
        await keep(folder, raw, nameOf(message.date, counter));
        return {
          outcome: 'captured',
          temporary: false,
          serverResponse: 'Kept in the mailbox folder: no mail server is set.',
        };
      } catch (error) {
        return {
          outcome: 'refused',
          temporary: true,
          serverResponse: `The mail could not be kept: ${String(error)}`,
        };
      }
    },
    close: async () => {},
  };
}

function nameOf(date: unknown, counter: number): string {
  const time = (date instanceof Date ? date : new Date()).toISOString().replace(/[-:.]/g, '');
  return `${time}-${String(counter).padStart(6, '0')}-${randomUUID().slice(0, 8)}.eml`;
}

async function keep(folder: string, raw: Buffer, name: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const half = path.join(folder, `.${name}`);
  // A reader never sees half a mail.
  await fs.writeFile(half, raw, { mode: 0o600 });
  await fs.rename(half, path.join(folder, name));
  const old = (await listMessages(folder)).slice(keptMails);
  await Promise.all(old.map((file) => fs.rm(path.join(folder, file), { force: true })));
}

/** Names of the kept mails, newest first. */
export async function listMessages(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse();
}

/** One kept mail as it was written, or null when there is none of that name. */
export async function readMessage(folder: string, name: string): Promise<Buffer | null> {
  // The pattern leaves no room for a path.
  if (!fileName.test(name)) return null;
  return fs.readFile(path.join(folder, name)).catch(() => null);
}
