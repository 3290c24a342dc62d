/**
 * A Postgres database as a hosted Supabase project has it, with the tables of the product, and a PostgREST server on it.
 * The schema `auth` is that of Supabase Auth, not ours.
 */
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fromRoot, migrationDirectories } from './paths.ts';
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
  await runScripts(urlOf('hosted_owner'), productScripts());
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

/** The files of the product in the order of their names, then those of a hosted project. */
function productScripts(): string[] {
  const { directory } = migrationDirectories[1];
  const names = fs.readdirSync(directory).filter((file) => file.endsWith('.sql'));
  const files = [
    ...names.toSorted().map((file) => path.join(directory, file)),
    fromRoot('deploy/hosted/rights.sql'),
    fromRoot('deploy/hosted/invitations.sql'),
  ];
  return files.map((file) => fs.readFileSync(file, 'utf8'));
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
