/**
 * Global setup of a test run: built worker threads and processes, a Postgres server, and a migrated template
 * of each engine.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '@lanternrock/postgres/embedded';
import { openExternal } from '@lanternrock/postgres/external';
import { applyMigrations, readMigrations } from '@lanternrock/postgres/migrations';
import { onServer, templateName } from './engines.ts';
import { startPostgres } from './postgres-server.ts';
import { bundlePath, migrationFolders } from '../../src/paths.ts';

const serverFolder = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync('npx', ['rolldown', '-c', 'rolldown.workers.config.ts'], {
    cwd: serverFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  const embeddedTemplate = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-template-'));
  const [postgres] = await Promise.all([preparePostgres(), prepareEmbedded(embeddedTemplate)]);
  console.log(`Postgres ${postgres.version} and the embedded engine are ready.`);

  project.provide('postgres', {
    superuserUrl: postgres.superuserUrl,
    ownerUrl: postgres.ownerUrl,
    version: postgres.version,
  });
  project.provide('embeddedTemplate', embeddedTemplate);
  return async () => {
    await postgres.stop();
    fs.rmSync(embeddedTemplate, { recursive: true, force: true });
  };
}

async function preparePostgres(): ReturnType<typeof startPostgres> {
  const postgres = await startPostgres();
  await onServer(postgres.ownerUrl, `create database ${templateName}`);
  const url = new URL(postgres.ownerUrl);
  url.pathname = `/${templateName}`;
  const database = await openExternal({
    url: url.href,
    poolSize: 1,
    waitLimit: 10_000,
    onConnectionError: console.error,
  });
  await applyMigrations(database, readMigrations(migrationFolders));
  await database.close();
  return postgres;
}

async function prepareEmbedded(dataDir: string): Promise<void> {
  const database = await openEmbedded({
    dataDir,
    workerFile: bundlePath('database-worker'),
    answerLimit: 60_000,
    onConnectionError: console.error,
  });
  await applyMigrations(database, readMigrations(migrationFolders));
  await database.close();
}
