/**
 * Makes jumps of the clock of a page reliable. A request that runs during a jump reaches its time limit, although the service
 * answered in time, so a jump waits for the requests that the test does not hold itself.
 */
import type { BrowserContext, Page, Request } from '@playwright/test';

const maxWaitMs = 3000;
const checkIntervalMs = 20;

/** Requests that the service answers at once. It holds the long poll of the session on purpose. */
const isAnsweredAtOnce = (request: Request): boolean =>
  /\/(auth|rest|functions)\/v1\//.test(request.url()) && !request.url().endsWith('/session-watch');

/** Call before the first page of the context. */
export function jumpReliably(context: BrowserContext): void {
  const running = new Set<Request>();
  context.on('request', (request) => isAnsweredAtOnce(request) && running.add(request));
  context.on('requestfinished', (request) => running.delete(request));
  context.on('requestfailed', (request) => running.delete(request));
  const waitForRequests = async (page: Page): Promise<void> => {
    const until = Date.now() + maxWaitMs;
    while (running.size > 0 && Date.now() < until) await page.waitForTimeout(checkIntervalMs);
  };
  context.on('page', (page) => {
    const route = page.route.bind(page);
    page.route = (url, handler, options) =>
      route(
        url,
        (handled, request) => {
          running.delete(request);
          return handler(handled, request);
        },
        options,
      );
    const { clock } = page;
    const fastForward = clock.fastForward.bind(clock);
    const runFor = clock.runFor.bind(clock);
    const pauseAt = clock.pauseAt.bind(clock);
    clock.fastForward = async (ticks) => waitForRequests(page).then(() => fastForward(ticks));
    clock.runFor = async (ticks) => waitForRequests(page).then(() => runFor(ticks));
    clock.pauseAt = async (time) => waitForRequests(page).then(() => pauseAt(time));
  });
}
