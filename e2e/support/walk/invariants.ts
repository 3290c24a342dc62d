/** What must hold wherever a walk stands. */
import { expect } from '@playwright/test';
import { readView } from './view.ts';
import { dialogAddresses, isBroken, isOverlay, longHeadings, screens, type Walk } from './walk.ts';

/** Messages that the browser prints by itself where a walk has cut the network or ended the session. */
const isExpected = (walk: Walk, message: string): boolean =>
  (walk.wasOffline && /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to fetch/.test(message)) ||
  // The router prints why a screen could not be shown, and the screen says so too.
  (walk.wasOffline && /code for this screen could not be loaded/.test(message)) ||
  (walk.sessionEnded && /Failed to load resource.*status of 40[0134]/.test(message));

type Check = (walk: Walk) => readonly (string | false)[];

const page: Check = (walk) => {
  const unexpected = walk.messages.filter((message) => !isExpected(walk, message));
  return [
    walk.view.sideways > 0 && `the page scrolls sideways by ${walk.view.sideways} pixels`,
    unexpected.length > 0 && `the browser's console says: ${unexpected.join(' | ')}`,
  ];
};

const screen: Check = ({ view, online }) => {
  const title = screens[view.path];
  if (title === undefined) return [`unknown screen ${view.path}`];
  const heading = (!online && isBroken({ view }) ? undefined : longHeadings[view.path]) ?? title;
  return [
    view.heading !== heading && `heading "${view.heading}" on ${view.path}`,
    !view.title.startsWith(`${title} - `) && `title "${view.title}" on ${view.path}`,
    view.saysOffline === online && `the page ${online ? 'says' : 'does not say'} that it is offline`,
  ];
};

/** Every dialog of a screen stands in its URL, and nothing else is open. */
const dialogs: Check = ({ view, online }) => {
  // Back has changed the URL before the question is asked, and the answer decides which one stays.
  if (view.dialogs.some((name) => name.startsWith('Discard'))) return [];
  const open = view.dialogs.filter((name) => !isOverlay(name));
  const expected = dialogAddresses.filter(
    ({ path, parameter }) => path === view.path && view.query[parameter] !== undefined,
  );
  // Without network a dialog whose code is not here yet says so, and opens as soon as the network is back.
  if (!online && open.length < expected.length) {
    const isSaid = view.errors.includes('A part of this page could not be loaded');
    return [!isSaid && `neither a dialog nor an error shows for ${JSON.stringify(view.query)}`];
  }
  const missing = expected.filter(({ dialog }) => dialog !== null && !open.includes(dialog));
  return [
    open.length !== expected.length &&
      `open are [${open.join(', ')}], the URL names [${expected.map(({ parameter }) => parameter).join(', ')}]`,
    ...missing.map(({ dialog, parameter }) => `"${dialog}" is closed although the URL names "${parameter}"`),
  ];
};

const errors: Check = ({ view, online }) => {
  if (!online) return [];
  const contradicted = [...view.failures, ...view.errors.filter((title) => /fetching|load/i.test(title))];
  return [contradicted.length > 0 && `errors [${contradicted.join(', ')}] although the data can be read`];
};

const list: Check = ({ view, online }) => {
  const { counted, announced, scrollable, rowsInView, blankInView, skeletonsInView } = view;
  if (view.path !== '/admin/accounts') return [];
  // Without network the rows that are here are shown, and nothing is counted.
  if (counted === null) return [online && 'the footer has no count'];
  return [
    // In a low window a person can scroll past a short list.
    counted > 0 && rowsInView === 0 && !view.isScrolled && `no row in view of ${counted} accounts`,
    blankInView > 1 && `${blankInView} pixels in view are blank`,
    scrollable !== counted && `${scrollable} rows can be scrolled to, ${counted} are counted`,
    announced !== counted && `${announced} rows are announced, ${counted} are counted`,
    online && skeletonsInView > 0 && `${skeletonsInView} rows in view have no data`,
  ];
};

/** The footer counts the accounts that the database holds for the filter in the URL. */
async function count({ sql, view, online, outdated }: Walk): Promise<readonly (string | false)[]> {
  if (view.counted === null || !online || outdated) return [];
  const { q = '', type = null } = view.query;
  const [row] = await sql(
    `select count(*)::int as n from public.accounts
     where (name ilike $1 or slug ilike $1) and ($2::text is null or account_type::text = $2)`,
    [`%${q.trim().replace(/[\\%_]/g, '\\$&')}%`, type],
  );
  return [row?.['n'] !== view.counted && `${view.counted} accounts are counted of ${String(row?.['n'])}`];
}

async function broken(walk: Walk): Promise<string[]> {
  const { path, heading } = walk.view;
  const found = path.startsWith('/auth')
    ? [...page(walk), heading !== 'Welcome Back' && `heading "${heading}" on ${path}`]
    : [page, screen, dialogs, errors, list].flatMap((check) => check(walk));
  return [...found, ...(await count(walk))].filter((sentence) => sentence !== false);
}

/** Reads the page until every invariant holds. Fails with the sentences that stay broken. */
export async function expectSound(walk: Walk, step: string): Promise<void> {
  await expect
    .poll(
      async () => {
        walk.view = await readView(walk.page);
        return broken(walk);
      },
      { message: `after ${step}`, timeout: 20_000, intervals: [20, 50, 100, 200] },
    )
    .toEqual([]);
}
