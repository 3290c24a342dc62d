/**
 * Global setup of a test run: built worker threads and processes, a Postgres server, and the migrated
 * templates of each engine.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openExternal } from '@lanternrock/postgres/external';
import { applyMigrations, readMigrations, type Migration } from '@lanternrock/postgres/migrations';
import { engines, onServer, openDataDir, templateName, templates, type Template } from './engines.ts';
import { startPostgres } from './postgres-server.ts';
import { cacheDirectory, lockFile, migrationDirectories, serverDirectory } from './paths.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync('npx', ['rolldown', '-c', 'rolldown.workers.config.ts'], {
    cwd: serverDirectory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  const [postgres, embeddedTemplates] = await Promise.all([
    engines.includes('postgres') ? preparePostgres() : null,
    engines.includes('embedded') ? prepareEmbedded() : null,
  ]);
  if (postgres) {
    const { superuserUrl, ownerUrl, version } = postgres;
    project.provide('postgres', { superuserUrl, ownerUrl, version });
    console.log(`Postgres ${version} is ready.`);
  }
  if (embeddedTemplates !== null) project.provide('embeddedTemplates', embeddedTemplates);
  return async () => postgres?.stop();
}

const migrationsOf = (template: Template): Migration[] =>
  readMigrations(template === 'platform' ? migrationDirectories.slice(0, 1) : migrationDirectories);

async function preparePostgres(): ReturnType<typeof startPostgres> {
  const postgres = await startPostgres();
  for (const template of templates) {
    const name = templateName(template);
    await onServer(postgres.ownerUrl, `create database ${name}`);
    const url = new URL(postgres.ownerUrl);
    url.pathname = `/${name}`;
    const database = await openExternal({
      url: url.href,
      poolSize: 1,
      connectionTimeoutMs: 10_000,
      onConnectionError: console.error,
    });
    await applyMigrations(database, migrationsOf(template));
    await database.close();
  }
  return postgres;
}

/** Returns a migrated data directory of each template. They are kept until a migration or the engine changes. */
async function prepareEmbedded(): Promise<Record<Template, string>> {
  const version = createHash('sha256').update(
    JSON.stringify([templates, migrationsOf('product'), lockedVersion('@electric-sql/pglite')]),
  );
  const directory = path.join(cacheDirectory, version.digest('hex').slice(0, 16));
  const prepared = {
    platform: path.join(directory, 'platform'),
    product: path.join(directory, 'product'),
  };
  if (fs.existsSync(directory)) return prepared;
  fs.rmSync(cacheDirectory, { recursive: true, force: true });
  fs.mkdirSync(cacheDirectory, { recursive: true });
  const unfinished = fs.mkdtempSync(path.join(cacheDirectory, 'new-'));
  for (const template of templates) {
    const database = await openDataDir(path.join(unfinished, template), 60_000);
    await applyMigrations(database, migrationsOf(template));
    await database.close();
  }
  fs.renameSync(unfinished, directory);
  return prepared;
}

function lockedVersion(name: string): string {
  const lock = JSON.parse(fs.readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return lock.packages[`node_modules/${name}`]?.version ?? '';
}
