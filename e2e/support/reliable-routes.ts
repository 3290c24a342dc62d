/**
 * Makes `page.route` reliable in an open page. Chromium tells the page of its first route by another channel than its
 * input, so a key that is pressed next can be handled first. Its request passes the route, and Playwright does not even
 * report it.
 */
import type { BrowserContext, Page } from '@playwright/test';

const probeBody = 'routed';
const maxProbes = 50;

/** Waits until a request of the page is routed. */
async function waitForRouting(page: Page, route: Page['route']): Promise<void> {
  const isProbe = (url: URL): boolean => url.search === '?route-probe';
  await route(isProbe, (request) => request.fulfill({ body: probeBody }));
  for (let probes = 0; probes < maxProbes; probes += 1) {
    const body = await page.evaluate(async () =>
      (await fetch(`${location.pathname}?route-probe`, { cache: 'no-store' })).text(),
    );
    if (body === probeBody) return page.unroute(isProbe);
  }
  throw new Error('Chromium does not route the requests of the page.');
}

/** Call before the first page of the context. */
export function routeReliably(context: BrowserContext): void {
  context.on('page', (page) => {
    const route = page.route.bind(page);
    page.route = async (...parameters) => {
      const added = await route(...parameters);
      if (page.url().startsWith('http')) await waitForRouting(page, route);
      return added;
    };
  });
}
