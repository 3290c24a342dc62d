/**
 * The local mailbox: without SMTP_URL, emails are saved as files in DATA_DIR/mailbox in the format in which they would
 * have been sent. They contain sign-in links, so only the owner can read the directory.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import type { EmailTransport } from './email-job.ts';

/** Maximum number of captured emails; older ones are deleted. */
export const maxMessages = 1000;

export const toMailboxDirectory = (config: Config): string => path.join(config.DATA_DIR, 'mailbox');

/** File names: UTC time and a counter, so that names sort by age, and a random part against collisions. */
const fileName = /^\d{8}T\d{9}Z-\d{6}-[0-9a-f]{8}\.eml$/;

export function createMailboxTransport(config: Config): EmailTransport {
  const directory = toMailboxDirectory(config);
  let counter = 0;
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(message) {
      try {
        const { message: raw } = await builder.sendMail(message);
        if (!Buffer.isBuffer(raw)) throw new TypeError('The email was not buffered');
        counter = (counter + 1) % 1_000_000;
        await saveMessage(directory, raw, createFileName(message.date, counter));
        return {
          outcome: 'captured',
          temporary: false,
          // Stored with the email, also after a mail server is set up.
          serverResponse: 'No mail server was set up.',
        };
      } catch (error) {
        return {
          outcome: 'refused',
          temporary: true,
          serverResponse: `The email could not be saved: ${String(error)}`,
        };
      }
    },
    close: async () => {},
  };
}

function createFileName(date: unknown, counter: number): string {
  const time = (date instanceof Date ? date : new Date()).toISOString().replace(/[-:.]/g, '');
  return `${time}-${String(counter).padStart(6, '0')}-${randomUUID().slice(0, 8)}.eml`;
}

async function saveMessage(directory: string, raw: Buffer, name: string): Promise<void> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = path.join(directory, `.${name}`);
  // The rename is atomic, so a reader never sees a partial file.
  await fs.writeFile(temporary, raw, { mode: 0o600 });
  await fs.rename(temporary, path.join(directory, name));
  const old = (await listMessages(directory)).slice(maxMessages);
  await Promise.all(old.map((file) => fs.rm(path.join(directory, file), { force: true })));
}

/** Returns the file names of the captured emails, newest first. */
export async function listMessages(directory: string): Promise<string[]> {
  const names = await fs.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse();
}

/** Returns the source of a captured email, or null if there is no email with this name. */
export async function readMessage(directory: string, name: string): Promise<Buffer | null> {
  // Prevents path traversal: the pattern matches no path separator.
  if (!fileName.test(name)) return null;
  return fs.readFile(path.join(directory, name)).catch(() => null);
}
