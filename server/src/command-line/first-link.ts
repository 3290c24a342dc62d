/** The file `first-link` in DATA_DIR: the first administrator's link, for those who do not see the start. */
import fs from 'node:fs';
import path from 'node:path';

/** @param link null once there is an administrator; the file then goes. */
export function keepFirstLink(dataDir: string, link: string | null): void {
  const file = path.join(dataDir, 'first-link');
  // What lies there may be somebody else's, or point elsewhere: it must not receive the link.
  fs.rmSync(file, { force: true });
  if (link !== null) fs.writeFileSync(file, `${link}\n`, { flag: 'wx', mode: 0o600 });
}
