import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { addSettingsFile } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-settings-'));
afterAll(() => fs.rmSync(directory, { recursive: true }));

function write(text: string): string {
  const file = path.join(directory, 'lanternrock.env');
  fs.writeFileSync(file, text);
  return file;
}

it('reads settings, comments and values of several lines', () => {
  const file = write(
    '# comment\n\nPORT=3100\nexport SITE_URL="https://a.example"\r\nKEY="a\nb"\nNAME=Bob\'s\n',
  );
  expect(readSettingsFile(file)).toEqual({
    PORT: '3100',
    SITE_URL: 'https://a.example',
    KEY: 'a\nb',
    NAME: "Bob's",
  });
  expect(readSettingsFile(write(''))).toEqual({});
});

it('rejects a missing file, a directory, and a line that is no setting', () => {
  const missing = path.join(directory, 'none.env');
  expect(() => readSettingsFile(missing)).toThrow(
    `The settings file ${missing} does not exist. Nothing was started or changed.`,
  );
  expect(() => readSettingsFile(directory)).toThrow(`${directory} cannot be read (EISDIR).`);
  const file = write('KEY="a\nb"\nPORT 3100\n');
  expect(() => readSettingsFile(file)).toThrow(`Line 3 of the settings file ${file} must be NAME=value.`);
});

it('adds settings that the environment does not have', () => {
  write('PORT=3100\nMAIL_FROM=a@example.org\nPGPASSWORD=secret\n');
  const environment = {
    INIT_CWD: directory,
    npm_lifecycle_event: 'lanternrock',
    PORT: '3200',
    MAIL_FROM: '',
  };
  addSettingsFile('lanternrock.env', environment);
  expect(environment).toMatchObject({ PORT: '3200', MAIL_FROM: 'a@example.org', PGPASSWORD: 'secret' });
});
