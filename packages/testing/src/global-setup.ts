/**
 * Global setup of a test run: built worker threads and processes, a Postgres server, and a migrated template
 * of each engine.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openExternal } from '@lanternrock/postgres/external';
import { applyMigrations, readMigrations } from '@lanternrock/postgres/migrations';
import { engines, onServer, openDataDir, templateName } from './engines.ts';
import { startPostgres } from './postgres-server.ts';
import { cacheDirectory, lockFile, migrationDirectories, serverDirectory } from './paths.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync('npx', ['rolldown', '-c', 'rolldown.workers.config.ts'], {
    cwd: serverDirectory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  const [postgres, embeddedTemplate] = await Promise.all([
    engines.includes('postgres') ? preparePostgres() : null,
    engines.includes('embedded') ? prepareEmbedded() : null,
  ]);
  if (postgres) {
    const { superuserUrl, ownerUrl, version } = postgres;
    project.provide('postgres', { superuserUrl, ownerUrl, version });
    console.log(`Postgres ${version} is ready.`);
  }
  if (embeddedTemplate !== null) project.provide('embeddedTemplate', embeddedTemplate);
  return async () => postgres?.stop();
}

async function preparePostgres(): ReturnType<typeof startPostgres> {
  const postgres = await startPostgres();
  await onServer(postgres.ownerUrl, `create database ${templateName}`);
  const url = new URL(postgres.ownerUrl);
  url.pathname = `/${templateName}`;
  const database = await openExternal({
    url: url.href,
    poolSize: 1,
    connectionTimeoutMs: 10_000,
    onConnectionError: console.error,
  });
  await applyMigrations(database, readMigrations(migrationDirectories));
  await database.close();
  return postgres;
}

/** Returns a migrated data directory. It is kept until a migration or the engine changes. */
async function prepareEmbedded(): Promise<string> {
  const migrations = readMigrations(migrationDirectories);
  const version = createHash('sha256').update(
    JSON.stringify([migrations, lockedVersion('@electric-sql/pglite')]),
  );
  const template = path.join(cacheDirectory, version.digest('hex').slice(0, 16));
  if (fs.existsSync(template)) return template;
  fs.rmSync(cacheDirectory, { recursive: true, force: true });
  fs.mkdirSync(cacheDirectory, { recursive: true });
  const dataDir = fs.mkdtempSync(path.join(cacheDirectory, 'new-'));
  const database = await openDataDir(dataDir, 60_000);
  await applyMigrations(database, migrations);
  await database.close();
  fs.renameSync(dataDir, template);
  return template;
}

function lockedVersion(name: string): string {
  const lock = JSON.parse(fs.readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return lock.packages[`node_modules/${name}`]?.version ?? '';
}
