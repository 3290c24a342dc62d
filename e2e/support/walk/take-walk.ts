/** Prepares the data and the browser for a walk, takes it, and says what failed. */
import type { Browser, BrowserContext } from '@playwright/test';
import fc from 'fast-check';
import { watchConsole } from '../fixtures.ts';
import { newSession, storageStateFor, storageKey, type TestUser, type StoredSession } from '../users.ts';
import type { Instance } from '../instance.ts';
import type { StepCommand } from './commands.ts';
import { expectSound } from './invariants.ts';
import { readView } from './view.ts';
import { newWalk, type Sql } from './walk.ts';

/** Past the triggers: 5,000 entries in the audit log would take longer than the walk. */
const fillAccounts = (sql: Sql, count: number): Promise<unknown> =>
  sql(`
    begin;
    set local session_replication_role = replica;
    truncate public.accounts, public.account_members;
    insert into public.accounts (name, slug, account_type, status, city, created_at)
    select case n % 50 when 7 then 'Zürich Walk ' || n when 8 then repeat('W', 190) || n
        when 9 then 'נחלה ' || n else 'Walk Team ' || n end,
      'walk-team-' || n, (case n % 2 when 0 then 'enterprise' else 'organization' end)::public.account_type,
      'active', 'Vail', now() - make_interval(mins => n / 3)
    from generate_series(1, ${count}) n;
    commit;
    delete from private.invitations where email like 'walk-%';
    delete from auth.users where email like 'walk-%'`);

interface Site {
  readonly browser: Browser;
  readonly product: Instance;
  readonly sql: Sql;
  readonly person: TestUser;
}

export interface Outcome {
  /** Steps as they are printed and kept. */
  readonly taken: readonly string[];
  /** What failed; null for nothing. */
  readonly failure: string | null;
}

/** One user takes all walks of a run, each in a separate browser context: the content of a cache is part of a walk. */
export class Walks {
  readonly #site: Site;
  /** The session that the last walk left behind; null where there is none. */
  #session: StoredSession | null = null;

  constructor(site: Site) {
    this.#site = site;
  }

  async take(accounts: number, steps: readonly StepCommand[]): Promise<Outcome> {
    const { browser, product, sql, person } = this.#site;
    await fillAccounts(sql, accounts);
    // A sign-in takes longer than most walks.
    const session = this.#session ?? (await newSession(product, person.email));
    this.#session = null;
    const context = await browser.newContext({ storageState: storageStateFor(product, session) });
    const messages = watchConsole(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const walk = newWalk({ page, person, sql, messages, view: await readView(page) });
    try {
      await page.goto('/admin/accounts');
      await expectSound(walk, 'the first page');
      await fc.asyncModelRun(() => ({ model: walk, real: walk }), steps);
      if (walk.signedIn) this.#session = await storedSession(context, product);
      return { taken: walk.taken, failure: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { taken: walk.taken, failure: `${message}\n${JSON.stringify(walk.view)}` };
    } finally {
      await context.close();
    }
  }
}

/** The session in local storage, which the page may have renewed. */
async function storedSession(context: BrowserContext, product: Instance): Promise<StoredSession | null> {
  const { origins } = await context.storageState();
  const items = origins.flatMap(({ localStorage }) => localStorage);
  const stored = items.find(({ name }) => name === storageKey(product));
  return stored === undefined ? null : (JSON.parse(stored.value) as StoredSession);
}
