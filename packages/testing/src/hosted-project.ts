/**
 * A Postgres database as a hosted Supabase project has it, with the tables of the product, and a PostgREST server on it.
 * The schema `auth` is that of Supabase Auth, not ours.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import pg from 'pg';
import { fromRoot } from './paths.ts';
import { startPostgrest, type PostgrestServer } from './postgrest.ts';

/** Secret of the access tokens and API keys of the project (HS256). */
export const hostedJwtSecret = 'a secret of the test, at least 32 characters long';

export interface HostedProject {
  /** Database URL of the role that owns the tables of the product: `postgres` in a project. */
  readonly ownerUrl: string;
  /** Database URL of the role that owns the schema `auth`: `supabase_auth_admin` in a project. */
  readonly authUrl: string;
  readonly rest: PostgrestServer;
  close(): Promise<void>;
}

/**
 * Creates the project as `docs/hosted-supabase.md` describes.
 *
 * @param superuserUrl URL of a superuser of a running server
 * @param name of the new database
 */
export async function createHostedProject(superuserUrl: string, name: string): Promise<HostedProject> {
  await runScripts(superuserUrl, [`create database ${name}`]);
  const urlOf = (user?: string): string => {
    const url = new URL(superuserUrl);
    url.pathname = `/${name}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };
  const platform = fs.readFileSync(new URL('hosted-project.sql', import.meta.url), 'utf8');
  await runScripts(urlOf(), [platform]);
  createTables(urlOf('hosted_owner'));
  const rest = await startPostgrest(urlOf('hosted_authenticator'), {
    PGRST_DB_ANON_ROLE: 'anon',
    PGRST_DB_EXTRA_SEARCH_PATH: 'public,extensions',
    PGRST_JWT_SECRET: hostedJwtSecret,
  });
  return {
    ownerUrl: urlOf('hosted_owner'),
    authUrl: urlOf('hosted_auth'),
    rest,
    close: async () => {
      await rest.close();
      await runScripts(superuserUrl, [`drop database ${name} with (force)`]);
    },
  };
}

/** Runs the commands of `docs/hosted-supabase.md` that create the tables of the product. */
function createTables(ownerUrl: string): void {
  const page = fs.readFileSync(fromRoot('docs/hosted-supabase.md'), 'utf8');
  const commands = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? 'false';
  execFileSync('bash', ['-c', commands], {
    cwd: fromRoot('.'),
    // Without the notices of `if not exists`.
    env: { ...process.env, PROJECT_DATABASE_URL: ownerUrl, PGOPTIONS: '-c client_min_messages=warning' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Runs each script as one transaction. */
async function runScripts(url: string, scripts: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const script of scripts) await client.query(script);
  } finally {
    await client.end();
  }
}
