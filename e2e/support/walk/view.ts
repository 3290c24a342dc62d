/** What a person sees on the page at one moment, read in one go. */
import type { Page } from '@playwright/test';

export interface View {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly title: string;
  /** Text of the level 1 heading; '' while there is none. */
  readonly heading: string;
  /** Accessible names of the open dialogs and panels. */
  readonly dialogs: readonly string[];
  /** True when the focus is on no element at all. */
  readonly focusLost: boolean;
  /** N of 'Page 1 of 1 (N total)'; null where the footer is absent or still empty. */
  readonly counted: number | null;
  /** Rows that the accounts table announces to screen readers, without its head; null without a table. */
  readonly announced: number | null;
  /** Rows that the height of the list offers to scroll to; 0 where a message replaces the rows. */
  readonly scrollable: number;
  /** Rows inside both the list's frame and the window. */
  readonly rowsInView: number;
  /** Pixels inside both the frame and the window that rows should fill and none does. */
  readonly blankInView: number;
  /** Those of them that still wait for their data. */
  readonly skeletonsInView: number;
  /** Titles of messages that report an error. */
  readonly errors: readonly string[];
  /** Sentences on the screen itself that say that something failed or is forbidden. */
  readonly failures: readonly string[];
  readonly saysOffline: boolean;
  /** Where Back leads: to a state of this document, to another document of the console, or out of it. */
  readonly back: 'same document' | 'other document' | 'out';
  /** Pixels by which the page scrolls sideways. */
  readonly sideways: number;
  /** True while the page itself, not a list in it, is scrolled down. */
  readonly isScrolled: boolean;
}

/** Reads the page; of a page that is being replaced, the next one. */
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
    const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';
    const nameOf = (element: Element): string =>
      element.getAttribute('aria-label') ??
      textOf(document.getElementById(element.getAttribute('aria-labelledby') ?? ''));
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
    const footer = all('main p[aria-live]').map(textOf).join(' ');
    const counted = /^Page 1 of 1 \((\d+) total\)$/.exec(footer)?.[1];
    const earlier = navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1];
    return {
      path: location.pathname,
      query: Object.fromEntries(new URLSearchParams(location.search)),
      title: document.title,
      heading: textOf(all('h1')[0]),
      dialogs: all('[role="dialog"], [role="alertdialog"]').map(nameOf),
      focusLost: document.activeElement === null || document.activeElement === document.body,
      counted: counted === undefined ? null : Number(counted),
      announced: table === null ? null : Number(table.getAttribute('aria-rowcount')) - 1,
      scrollable: rows.length === 0 ? 0 : Math.round((body?.offsetHeight ?? 0) / rowHeight),
      rowsInView: rows.filter(isInView).length,
      blankInView: rows.length === 0 ? 0 : Math.round(heightInView(body) - filled),
      skeletonsInView: rows.filter((row) => isInView(row) && row.hasAttribute('data-skeleton-row')).length,
      errors: all('li[data-toast][data-variant="destructive"]').map((message) =>
        textOf(message.querySelector('.font-semibold')),
      ),
      failures: all('main h2, main p, main h3')
        .map(textOf)
        .filter((text) => /could not be (loaded|shown|checked)|Access Denied/.test(text)),
      saysOffline: all('[role="status"]').some((status) => textOf(status).startsWith('You are offline.')),
      back: earlier === undefined ? 'out' : earlier.sameDocument ? 'same document' : 'other document',
      isScrolled: scrollY > 0,
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
