/** Prepares the data and the browser for a walk and takes it. */
import type { Browser, BrowserContext } from '@playwright/test';
import fc from 'fast-check';
import { watchConsole } from '../fixtures.ts';
import { applyPageConditions } from '../page-conditions.ts';
import { newSession, storageStateFor, storageKey, type TestUser, type StoredSession } from '../users.ts';
import type { Instance } from '../instance.ts';
import type { StepCommand } from './commands.ts';
import { expectInvariants } from './invariants.ts';
import { readView } from './view.ts';
import { newWalk, type Sql } from './walk.ts';

/**
 * Replaces all accounts, and deletes the invitations and users of earlier walks. Inserts the accounts without triggers,
 * because 5,000 audit log entries would take longer than the walk. Three accounts share a time, so that the ID decides the
 * order.
 */
const fillAccounts = (sql: Sql, count: number): Promise<unknown> =>
  sql(`
    begin;
    set local session_replication_role = replica;
    truncate public.accounts cascade;
    insert into public.accounts (name, slug, account_type, status, city, created_at)
    select case n % 50 when 7 then 'Zürich Walk ' || n when 8 then repeat('W', 190) || n
        when 9 then 'נחלה ' || n else 'Walk Team ' || n end,
      'walk-team-' || n, (case n % 2 when 0 then 'enterprise' else 'organization' end)::public.account_type,
      'active', 'Vail', now() - make_interval(mins => n / 3)
    from generate_series(1, ${count}) n;
    commit;
    delete from private.invitations where email like 'walk-%';
    delete from auth.users where email like 'walk-%'`);

interface WalkOptions {
  readonly browser: Browser;
  readonly instance: Instance;
  readonly sql: Sql;
  readonly user: TestUser;
}

export interface Outcome {
  /** Serialized steps. */
  readonly taken: readonly string[];
  /** Error message, or null if the walk passed. */
  readonly failure: string | null;
}

/** Takes walks with one user, each in a new browser context, so that every walk starts with an empty cache. */
export class Walks {
  readonly #options: WalkOptions;
  /** Session of the previous walk, or null if it ended. */
  #session: StoredSession | null = null;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async take(accountCount: number, steps: readonly StepCommand[]): Promise<Outcome> {
    const { browser, instance, sql, user } = this.#options;
    await fillAccounts(sql, accountCount);
    // Reuse the session, because a sign-in takes longer than most walks.
    const session = this.#session ?? (await newSession(instance, user.email));
    this.#session = null;
    const context = await browser.newContext({ storageState: storageStateFor(instance, session) });
    const messages = watchConsole(context);
    await applyPageConditions(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    // Leaves the page when the browser asks about unsaved input. Playwright would stay and wait for the reload.
    page.on('dialog', (dialog) => void dialog.accept());
    const walk = newWalk({ page, user, sql, messages, view: await readView(page) });
    try {
      await page.goto('/admin/accounts');
      await expectInvariants(walk, 'the first page');
      await fc.asyncModelRun(() => ({ model: walk, real: walk }), steps);
      if (walk.signedIn) this.#session = await readStoredSession(context, instance);
      return { taken: walk.taken, failure: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { taken: walk.taken, failure: `${message}\n${JSON.stringify(walk.view)}` };
    } finally {
      await context.close();
    }
  }
}

/** Returns the session in local storage, which the page may have refreshed, or null if there is none. */
async function readStoredSession(context: BrowserContext, instance: Instance): Promise<StoredSession | null> {
  const { origins } = await context.storageState();
  const items = origins.flatMap(({ localStorage }) => localStorage);
  const stored = items.find(({ name }) => name === storageKey(instance));
  return stored === undefined ? null : (JSON.parse(stored.value) as StoredSession);
}
