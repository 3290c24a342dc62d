/** Files in DATA_DIR that contain a link with a secret, for a start without a terminal. */
import fs from 'node:fs';
import path from 'node:path';

export type LinkName = 'first-link' | 'mailbox-link';

export const linkFile = (dataDir: string, name: LinkName): string => path.join(dataDir, name);

/**
 * Writes the link, readable by the owner only.
 *
 * @param link null deletes the file
 */
export function writeLinkFile(dataDir: string, name: LinkName, link: string | null): void {
  const file = linkFile(dataDir, name);
  // An existing file may belong to another user or be a symbolic link, so it must not be written.
  fs.rmSync(file, { force: true });
  if (link === null) return;
  // With DATABASE_URL, the directory may not exist yet.
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, `${link}\n`, { flag: 'wx', mode: 0o600 });
}
