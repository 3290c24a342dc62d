/** Reads the visible state of a page in one evaluation. */
import type { Page } from '@playwright/test';

export interface View {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly title: string;
  /** Text of the level 1 heading, or '' without one. */
  readonly heading: string;
  /** Accessible names of the open dialogs and panels. */
  readonly dialogs: readonly string[];
  /** Number of dialogs and panels in their closing transition. */
  readonly closing: number;
  /** True if no element except the body has the focus. */
  readonly focusLost: boolean;
  /** N of 'Page 1 of 1 (N total)', or null without a total. */
  readonly counted: number | null;
  /** `aria-rowcount` of the accounts table without the header, or null without a table. */
  readonly announced: number | null;
  /** Number of rows according to the height of the list. 0 if a message replaces the rows. */
  readonly scrollable: number;
  /** Number of rows in the visible part of the list. */
  readonly rowsInView: number;
  /** Pixels in the visible part of the list that no row fills. */
  readonly blankInView: number;
  /** Number of skeleton rows among `rowsInView`. */
  readonly skeletonsInView: number;
  /** Titles of error toasts. */
  readonly errors: readonly string[];
  /** Error and access-denied texts on the screen. */
  readonly failures: readonly string[];
  readonly showsOffline: boolean;
  /** Target of Back: an entry of this document, another document of the console, or outside of it. */
  readonly back: 'same document' | 'other document' | 'out';
  /** Horizontal scroll width of the page in pixels. */
  readonly horizontalOverflow: number;
  /** True if the page, and not only a list in it, is scrolled down. */
  readonly isScrolled: boolean;
}

/** Reads the page. Retries if a navigation replaces it during the read. */
export async function readView(page: Page): Promise<View> {
  for (;;) {
    try {
      return await readNow(page);
    } catch (error) {
      if (!String(error).includes('Execution context was destroyed')) throw error;
    }
  }
}

const readNow = (page: Page): Promise<View> =>
  page.evaluate(() => {
    const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const all = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter(isVisible);
    const getText = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';
    const getName = (element: Element): string =>
      element.getAttribute('aria-label') ??
      getText(document.getElementById(element.getAttribute('aria-labelledby') ?? ''));
    const table = document.querySelector('table[aria-label="Accounts"]');
    const frame = table?.parentElement?.getBoundingClientRect();
    const heightInView = (element: Element | null | undefined): number => {
      const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
      const upper = Math.max(0, frame?.top ?? 0, top);
      return Math.max(0, Math.min(innerHeight, frame?.bottom ?? innerHeight, bottom) - upper);
    };
    const isInView = (row: Element): boolean => heightInView(row) > 1;
    const rows = [...(table?.querySelectorAll('tbody tr[aria-rowindex]') ?? [])];
    const rowHeight = rows[0]?.getBoundingClientRect().height ?? 1;
    const body = table?.querySelector('tbody');
    const filled = rows.reduce((sum, row) => sum + heightInView(row), 0);
    const footer = all('main p[aria-live]').map(getText).join(' ');
    const counted = /^Page 1 of 1 \((\d+) total\)$/.exec(footer)?.[1];
    const earlier = navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1];
    return {
      path: location.pathname,
      query: Object.fromEntries(new URLSearchParams(location.search)),
      title: document.title,
      heading: getText(all('h1')[0]),
      dialogs: all('[role="dialog"]:not([data-closed]), [role="alertdialog"]:not([data-closed])').map(
        getName,
      ),
      closing: all('[role="dialog"][data-closed], [role="alertdialog"][data-closed]').length,
      focusLost: document.activeElement === null || document.activeElement === document.body,
      counted: counted === undefined ? null : Number(counted),
      announced: table === null ? null : Number(table.getAttribute('aria-rowcount')) - 1,
      scrollable: rows.length === 0 ? 0 : Math.round((body?.offsetHeight ?? 0) / rowHeight),
      rowsInView: rows.filter(isInView).length,
      blankInView: rows.length === 0 ? 0 : Math.round(heightInView(body) - filled),
      skeletonsInView: rows.filter((row) => isInView(row) && row.hasAttribute('data-skeleton-row')).length,
      errors: all('li[data-toast][data-variant="destructive"]').map((message) =>
        getText(message.querySelector('.font-semibold')),
      ),
      failures: all('main h2, main p, main h3')
        .map(getText)
        .filter((text) => /could not be (loaded|shown|checked)|Access Denied/.test(text)),
      showsOffline: all('[role="status"]').some((status) => getText(status).startsWith('You are offline.')),
      back: earlier === undefined ? 'out' : earlier.sameDocument ? 'same document' : 'other document',
      isScrolled: scrollY > 0,
      horizontalOverflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
