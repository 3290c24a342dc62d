/** The files of the repository, for scripts that check them. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the absolute path of a file. */
export const fromRoot = (name) => path.join(root, name);
export const exists = (name) => fs.existsSync(fromRoot(name));
export const read = (name) => fs.readFileSync(fromRoot(name), 'utf8');

/** The names of all files, including uncommitted ones. */
export const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && exists(name));
