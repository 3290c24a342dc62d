/** Reads a file with one setting per line, as `EnvironmentFile` of systemd and `--env-file` of Node.js do. */
import fs from 'node:fs';
import { parseEnv } from 'node:util';
import { OperationalError } from '@lanternrock/postgres/errors';

/** A value in quotation marks, which can contain line breaks. */
const quotedValue = /=\s*(["'`])[\s\S]*?\1/g;
const setting = /^(?:export\s+)?\w+\s*=/;

/**
 * @param file an absolute path
 * @returns the settings by name
 * @throws OperationalError if the file cannot be read, or a line is neither a setting nor a comment
 */
export function readSettingsFile(file: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new OperationalError(`The settings file ${file} ${reason}. Nothing was started or changed.`);
  }
  const lines = text
    .replaceAll(quotedValue, (value) => `=${value.replaceAll(/[^\n]+/g, '').replaceAll('\n', '\n#')}`)
    .split('\n')
    .map((line) => line.trim());
  const invalid = lines.findIndex((line) => line !== '' && !line.startsWith('#') && !setting.test(line));
  if (invalid >= 0)
    throw new OperationalError(`Line ${invalid + 1} of the settings file ${file} must be NAME=value.`);
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}
