/**
 * Without a mail server, mails are kept as files in DATA_DIR/mailbox, each exactly as it would have
 * gone out. Links in them sign people in, so the folder is readable by its owner only.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { MailTransport } from './mail-transport.ts';

/** Kept mails; older ones go. */
const keptMails = 1000;

export const mailboxFolder = (config: Config): string => path.join(config.DATA_DIR, 'mailbox');

/** File names: time in UTC, so that names sort by age, and the mail's own id. */
const fileName = /^\d{8}T\d{9}Z-[0-9a-f-]{36}\.eml$/;

export function createMailbox(config: Config): MailTransport {
  const folder = mailboxFolder(config);
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(message) {
      try {
        const { message: raw } = await builder.sendMail(message);
        if (!Buffer.isBuffer(raw)) throw new TypeError('The mail was not buffered');
        await keep(folder, raw, message.date instanceof Date ? message.date : new Date());
        return {
          outcome: 'handed_over',
          temporary: false,
          answer: 'Kept in the mailbox folder: no mail server is set.',
        };
      } catch (error) {
        return {
          outcome: 'refused',
          temporary: true,
          answer: `The mail could not be kept: ${String(error)}`,
        };
      }
    },
    close: async () => {},
  };
}

async function keep(folder: string, raw: Buffer, date: Date): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${date.toISOString().replace(/[-:.]/g, '')}-${randomUUID()}.eml`;
  const half = path.join(folder, `.${name}`);
  // A reader never sees half a mail.
  await fs.writeFile(half, raw, { mode: 0o600 });
  await fs.rename(half, path.join(folder, name));
  const old = (await listMailbox(folder)).slice(keptMails);
  await Promise.all(old.map((file) => fs.rm(path.join(folder, file), { force: true })));
}

/** Names of the kept mails, newest first. */
export async function listMailbox(folder: string): Promise<string[]> {
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
export async function readMailbox(folder: string, name: string): Promise<Buffer | null> {
  // The pattern leaves no room for a path.
  if (!fileName.test(name)) return null;
  return fs.readFile(path.join(folder, name)).catch(() => null);
}
