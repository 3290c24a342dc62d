/** The two database engines of the tests, each with a new database per call. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, inject, type TestOptions } from 'vitest';
import type { Database } from '@lanternrock/postgres';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { openExternal } from '@lanternrock/postgres/external';
import { databaseWorker } from './paths.ts';

export type Engine = Database['engine'] | 'postgres as superuser';

/** The migrated databases that `global-setup.ts` prepares: with the tables of `db/platform` only, or also of the product. */
export const templates = ['platform', 'product'] as const;
export type Template = (typeof templates)[number];

export const templateName = (template: Template): string => `template_${template}`;

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { superuserUrl: string; ownerUrl: string; version: string };
    embeddedTemplates: Record<Template, string>;
  }
}

/** The engines of this run: both, or the one that `npm run test:file` names in TEST_ENGINE. */
export const engines = (['embedded', 'postgres'] as const).filter(
  (engine) => !process.env['TEST_ENGINE'] || process.env['TEST_ENGINE'] === engine,
);

type EngineTests = (engine: Engine) => void;

/** Runs the same tests on the embedded engine and on Postgres with an ordinary owner. The options apply to all of them. */
export function eachEngine(name: string, ...args: [EngineTests] | [TestOptions, EngineTests]): void {
  const [options, tests] = args.length === 1 ? [{}, args[0]] : args;
  describe.each(engines)(`${name} (%s)`, options, tests);
}

export interface TestDatabase {
  readonly database: Database;
  /** DATA_DIR of this test. */
  readonly dataDir: string;
  /** DATABASE_URL; empty for the embedded engine. */
  readonly url: string;
  dispose(): Promise<void>;
}

let counter = 0;

/** Opens the embedded database of a data directory. */
export const openDataDir = (dataDir: string, resultTimeoutMs = 20_000): Promise<EmbeddedDatabase> =>
  openEmbedded({
    dataDir,
    workerFile: databaseWorker,
    resultTimeoutMs,
    onConnectionError: () => {},
  });

/**
 * Opens a database for one test.
 *
 * @param template null: a database without tables
 * @throws Error if this run prepared only the other engine
 */
export async function openTestDatabase(
  engine: Engine,
  template: Template | null = 'product',
): Promise<TestDatabase> {
  const prepared = engine === 'embedded' ? 'embedded' : 'postgres';
  if (!engines.includes(prepared))
    throw new Error(
      `This test needs the engine ${prepared}. Run it without --engine, or with --engine ${prepared}.`,
    );
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-test-'));
  const onConnectionError = (): void => {};
  if (engine === 'embedded') {
    if (template !== null) fs.cpSync(inject('embeddedTemplates')[template], dataDir, { recursive: true });
    // A new directory is initialized.
    const database = await openDataDir(dataDir, template === null ? 60_000 : undefined);
    return {
      database,
      dataDir,
      url: '',
      dispose: async () => {
        await database.close();
        fs.rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }
  const { ownerUrl, superuserUrl } = inject('postgres');
  counter += 1;
  const name = `test_${process.pid}_${counter}`;
  const source = template === null ? '' : `template ${templateName(template)}`;
  await onServer(ownerUrl, `create database ${name} ${source}`);
  const url = new URL(engine === 'postgres' ? ownerUrl : superuserUrl);
  url.pathname = `/${name}`;
  const database = await openExternal({
    url: url.href,
    poolSize: 10,
    connectionTimeoutMs: 10_000,
    onConnectionError,
  });
  return {
    database,
    dataDir,
    url: url.href,
    dispose: async () => {
      await database.close();
      // A backend that is still exiting can belong to the superuser, and the owner cannot terminate it.
      await onServer(superuserUrl, `drop database ${name} with (force)`);
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
