/** Runs the examples in the READMEs of the packages. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { signUp } from '../../../packages/auth/example.ts';
import { readDirectors } from '../../../packages/rest/example.ts';
import { onServer } from '@lanternrock/testing/engines';
import { bundlePath, migrationDirectories } from '../src/paths.ts';

const [platform] = migrationDirectories;

const read = (file: string): string =>
  fs.readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8');

it.each(['packages/auth', 'packages/rest'])('the README of %s shows its example', (directory) => {
  expect(read(`${directory}/README.md`)).toContain(`\`\`\`ts\n${read(`${directory}/example.ts`)}\`\`\``);
});

let databaseUrl: string;
beforeAll(async () => {
  const { ownerUrl } = inject('postgres');
  await onServer(ownerUrl, 'create database examples');
  const url = new URL(ownerUrl);
  url.pathname = '/examples';
  databaseUrl = url.href;
});
afterAll(() => onServer(inject('postgres').ownerUrl, 'drop database examples with (force)'));

it('packages/rest serves two tables of a database without the migrations of the product', async () => {
  await onServer(
    databaseUrl,
    `create table directors (id int primary key, name text);
     create table films (id int primary key, title text, director_id int references directors);
     insert into directors values (1, 'Agnès Varda');
     insert into films values (1, 'Vagabond', 1), (2, 'Cléo from 5 to 7', 1);
     grant usage on schema public to authenticated;
     grant select on directors, films to authenticated;`,
  );
  const found = await readDirectors(databaseUrl, 'secret');
  expect([found.status, JSON.parse(found.body ?? '')]).toEqual([
    200,
    [{ name: 'Agnès Varda', films: [{ title: 'Cléo from 5 to 7' }, { title: 'Vagabond' }] }],
  ]);
  const rejected = await readDirectors(databaseUrl, 'guess');
  expect([rejected.status, JSON.parse(rejected.body ?? '')]).toEqual([
    401,
    { code: 'PGRST301', message: 'The token is unknown', details: null, hint: null },
  ]);
});

it('packages/auth signs up a user in a database without the migrations of the product', async () => {
  for (const file of fs.readdirSync(platform.directory).toSorted())
    await onServer(databaseUrl, fs.readFileSync(path.join(platform.directory, file), 'utf8'));
  const secretsKey = randomBytes(32).toString('base64url');
  const { response, emails } = await signUp(databaseUrl, secretsKey, bundlePath('hash-worker'));
  expect([response.status, await response.json()]).toMatchObject([200, { email: 'agnes@example.org' }]);
  expect(emails).toMatchObject([{ kind: 'confirmation', to: 'agnes@example.org', decoy: false }]);
});
