/** Invariants that must hold after every step of a walk. */
import { expect } from '@playwright/test';
import { missingPartError } from './step.ts';
import { readView } from './view.ts';
import {
  dialogUrlStates,
  hasScreenError,
  isLeaveQuestion,
  isOverlay,
  longHeadings,
  screens,
  type Walk,
} from './walk.ts';

/** Returns true for console messages caused by offline steps, the end of the session, or changes of other clients. */
const isExpected = (walk: Walk, message: string): boolean =>
  (walk.wasOffline && /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to fetch/.test(message)) ||
  // The router logs the error of a screen that could not be shown.
  (walk.wasOffline && /part of the page could not be loaded/.test(message)) ||
  (walk.sessionEnded && /Failed to load resource.*status of 40[0134]/.test(message)) ||
  // Another client deleted the account of the open panel.
  (walk.wasOutdated && /Failed to load resource.*status of 404/.test(message));

type Check = (walk: Walk) => readonly (string | false)[];

const page: Check = (walk) => {
  const unexpected = walk.messages.filter((message) => !isExpected(walk, message));
  return [
    walk.view.closing > 0 && 'a dialog does not finish closing',
    walk.view.horizontalOverflow > 0 && `the page scrolls horizontally by ${walk.view.horizontalOverflow} px`,
    unexpected.length > 0 && `unexpected console messages: ${unexpected.join(' | ')}`,
  ];
};

const screen: Check = ({ view, online }) => {
  // Back changes the URL before it asks, and the answer restores it.
  if (view.dialogs.some(isLeaveQuestion)) return [];
  const title = screens[view.path];
  if (title === undefined) return [`unknown screen ${view.path}`];
  const heading = (!online && hasScreenError({ view }) ? undefined : longHeadings[view.path]) ?? title;
  return [
    view.heading !== heading && `heading "${view.heading}" on ${view.path}`,
    !view.title.startsWith(`${title} - `) && `title "${view.title}" on ${view.path}`,
    view.showsOffline === online && `the page ${online ? 'shows' : 'does not show'} that it is offline`,
  ];
};

/** Checks that the open dialogs of a screen match its URL state. */
const dialogs: Check = ({ view, online, outdated }) => {
  // As for the screen.
  if (view.dialogs.some(isLeaveQuestion)) return [];
  const open = view.dialogs.filter((name) => !isOverlay(name));
  // Another client deleted the account of the panel, so its action has no dialog.
  const isMissing = outdated && open.includes('Account');
  const expected = dialogUrlStates.filter(
    ({ path, parameter }) =>
      path === view.path && view.query[parameter] !== undefined && !(isMissing && parameter === 'action'),
  );
  // Offline, a dialog without loaded code shows an error and opens when the network is back.
  if (!online && open.length < expected.length) {
    const hasError = view.errors.includes(missingPartError) || hasScreenError({ view });
    return [!hasError && `neither a dialog nor an error for ${JSON.stringify(view.query)}`];
  }
  const missing = expected.filter(({ dialog }) => dialog !== null && !open.includes(dialog));
  return [
    open.length !== expected.length &&
      `open dialogs are [${open.join(', ')}], the URL names [${expected.map(({ parameter }) => parameter).join(', ')}]`,
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
  // Offline, the loaded rows are shown without a total.
  if (counted === null) return [online && 'the footer has no total'];
  return [
    // In a low window the page can scroll past a short list.
    counted > 0 && rowsInView === 0 && !view.isScrolled && `no row in view of ${counted} accounts`,
    blankInView > 1 && `${blankInView} pixels in view are blank`,
    scrollable !== counted && `${scrollable} rows can be scrolled to, ${counted} are counted`,
    announced !== counted && `${announced} rows are announced, ${counted} are counted`,
    online && skeletonsInView > 0 && `${skeletonsInView} rows in view have no data`,
  ];
};

/** Checks that the total in the footer equals the number of matching accounts in the database. */
async function count({ sql, view, online, outdated }: Walk): Promise<readonly (string | false)[]> {
  // Tables of other screens have the same footer.
  if (view.path !== '/admin/accounts' || view.counted === null || !online || outdated) return [];
  const { q = '', type = null, status = null } = view.query;
  const [row] = await sql(
    `select count(*)::int as n from public.accounts
     where (name ilike $1 or slug ilike $1) and ($2::text is null or account_type::text = $2)
       and ($3::text is null or status = $3)`,
    [`%${q.trim().replace(/[\\%_]/g, '\\$&')}%`, type, status],
  );
  return [row?.['n'] !== view.counted && `${view.counted} accounts are counted of ${String(row?.['n'])}`];
}

async function findViolations(walk: Walk): Promise<string[]> {
  const { path, heading } = walk.view;
  const found = path.startsWith('/auth')
    ? [...page(walk), heading !== 'Welcome Back' && `heading "${heading}" on ${path}`]
    : [page, screen, dialogs, errors, list].flatMap((check) => check(walk));
  return [...found, ...(await count(walk))].filter((violation) => violation !== false);
}

/** Polls the page until all invariants hold. Fails with the remaining violations. */
export async function expectInvariants(walk: Walk, step: string): Promise<void> {
  await expect
    .poll(
      async () => {
        walk.view = await readView(walk.page);
        return findViolations(walk);
      },
      { message: `after ${step}`, timeout: 20_000, intervals: [20, 50, 100, 200] },
    )
    .toEqual([]);
}
