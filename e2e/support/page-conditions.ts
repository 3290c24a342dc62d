/**
 * What browsers do to the console: a translator, an extension, a wrong clock. `PAGE_CONDITION` applies them, separated by
 * commas, to every page of all browser tests.
 */
import type { BrowserContext } from '@playwright/test';

/** Wraps each text node in two elements, as the translators of browsers do. */
const moveTexts = (): void => {
  const wrap = (): void => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const isSkipped = /^(?:SCRIPT|STYLE|FONT|OPTION)$/.test(text.parentElement?.tagName ?? '');
      if (isSkipped || text.data.trim().length < 2) continue;
      const outer = document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      const inner = document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      text.before(outer);
      outer.append(inner);
      inner.append(text);
    }
  };
  addEventListener('DOMContentLoaded', () => {
    wrap();
    new MutationObserver(() => setTimeout(wrap, 30)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
};

/** Replaces each text node by an element with its text, as some translators do. */
const replaceTexts = (): void => {
  const replace = (): void => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      const isSkipped = parent === null || parent.closest('script,style,font,option,[translate=no]') !== null;
      if (isSkipped || text.data.trim().length < 2) continue;
      const outer = document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      const inner = outer.appendChild(document.createElementNS('http://www.w3.org/1999/xhtml', 'font'));
      inner.textContent = text.data;
      parent.replaceChild(outer, text);
    }
  };
  addEventListener('DOMContentLoaded', () => {
    replace();
    new MutationObserver(() => setTimeout(replace, 30)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
};

/** Splits each text node in two, as extensions that search in a page do. */
const splitTexts = (): void => {
  const parts = new WeakSet<Text>();
  const split = (): void => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const isSkipped = parts.has(text) || text.parentElement?.closest('script,style,option') !== null;
      if (isSkipped || text.data.trim().length < 4) continue;
      parts.add(text.splitText(2));
    }
  };
  addEventListener('DOMContentLoaded', () => {
    split();
    new MutationObserver(() => setTimeout(split, 30)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
};

/** Inserts an element after each field, as password managers do. */
const insertNodes = (): void => {
  const insert = (): void => {
    for (const input of document.querySelectorAll('input:not([data-extended])')) {
      input.setAttribute('data-extended', '');
      input.after(document.createElement('div'));
    }
  };
  addEventListener('DOMContentLoaded', () => {
    insert();
    new MutationObserver(insert).observe(document.body, { childList: true, subtree: true });
  });
};

/** Sets the clock of the page 61 minutes ahead. */
const setClockAhead = (): void => {
  const SystemDate = Date;
  const aheadMs = 61 * 60_000;
  const now = (): number => SystemDate.now() + aheadMs;
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args) as Date,
    apply: () => new SystemDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
};

export const pageConditions = {
  translated: moveTexts,
  retranslated: replaceTexts,
  split: splitTexts,
  extension: insertNodes,
  clock: setClockAhead,
} as const;

const conditionsOfRun = (process.env['PAGE_CONDITION'] ?? '').split(',').filter(Boolean);

/** Messages of the browser about the scripts of the conditions, in documents that may run none. */
export const conditionMessages: RegExp[] = conditionsOfRun.length > 0 ? [/Blocked script execution in /] : [];

/** True if the clock of the pages is ahead, so that they refresh a session as soon as they open. */
export const isClockAhead = conditionsOfRun.includes('clock');

/** Applies the conditions of the run, if any. Call before the first page of the context. */
export async function applyPageConditions(context: BrowserContext): Promise<void> {
  for (const name of conditionsOfRun) {
    if (!(name in pageConditions))
      throw new Error(`PAGE_CONDITION must be one of ${Object.keys(pageConditions).join(', ')}.`);
    await context.addInitScript(pageConditions[name as keyof typeof pageConditions]);
  }
}
