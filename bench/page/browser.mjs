/**
 * A browser with limited network and processor speed, and an observer inside the page that records when
 * elements appear.
 */
import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/install-browser.mjs';

export const runs = 3;

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export function printTable(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}

/** Runs in the page before its scripts. Times count from the start of the navigation. */
function observe() {
  const seen = { text: null, usable: null, cls: 0 };
  window.seen = seen;
  const isVisible = (element) => element !== null && element.getClientRects().length > 0;
  const check = () => {
    const now = performance.now();
    if (seen.text === null && isVisible(document.querySelector('h1'))) {
      requestAnimationFrame(() => requestAnimationFrame(() => (seen.text ??= performance.now())));
    }
    const row = document.querySelector('tr[data-account]');
    const field = document.querySelector('input[inputmode=email]');
    // React adds its own properties to an element that it has hydrated.
    const isHydrated = (element) =>
      isVisible(element) && Object.keys(element).some((key) => key.startsWith('__reactProps'));
    if (seen.usable === null && (isHydrated(row) || isHydrated(field))) seen.usable = now;
    if (seen.text === null || seen.usable === null) requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

const storageKey = (url) => `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;

/** Opens a page in a new browser. With `session` the user is signed in. */
export async function openPage(instance, session, { cpu, network }) {
  const executablePath = findChromium() ?? undefined;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc'],
  });
  const state = session
    ? [
        {
          origin: instance.url,
          localStorage: [{ name: storageKey(instance.url), value: JSON.stringify(await instance.signIn()) }],
        },
      ]
    : [];
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: state },
  });
  const page = await context.newPage();
  await page.addInitScript(observe);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (network) {
    const bytesPerSecond = network.bitsPerSecond / 8;
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }
  if (cpu) await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  return {
    page,
    devtools,
    close: () => browser.close(),
    measure: (target) => measure(page, devtools, instance, target),
  };
}

/** The requests that were sent until the page was usable. */
async function measure(page, devtools, instance, target) {
  const requests = new Map();
  let usable = false;
  devtools.on('Network.requestWillBeSent', ({ requestId, request, initiator, timestamp }) => {
    if (!usable)
      requests.set(requestId, { url: request.url, initiator, started: timestamp, bytes: 0, ended: Infinity });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { bytes: encodedDataLength, ended: timestamp });
  });
  await page.goto(instance.url + target.path, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.seen.usable !== null && window.seen.text !== null, null, {
    polling: 20,
  });
  usable = true;
  // Running requests already belong to the page.
  await page.waitForTimeout(400);
  const seen = await page.evaluate(() => window.seen);
  const all = [...requests.values()].filter((request) => request.url.startsWith(instance.url));
  return {
    ...seen,
    bytes: all.reduce((sum, request) => sum + request.bytes, 0),
    requests: all.length,
    depth: Math.max(...all.map((request) => waterfallDepth(request, all))),
    sent: all.map((request) => ({
      address: request.url.slice(instance.url.length).slice(0, 70),
      kB: (request.bytes / 1000).toFixed(1),
      depth: waterfallDepth(request, all),
    })),
  };
}

/**
 * Returns the depth in the waterfall: 1 for the document, 2 for its resources, 3 for requests of a script.
 */
function waterfallDepth(request, all) {
  const { initiator } = request;
  if (initiator.type === 'parser' || initiator.type === 'preload') return 2;
  const scripts = new Set((initiator.stack ? allFrames(initiator.stack) : []).map((frame) => frame.url));
  if (initiator.url) scripts.add(initiator.url);
  const parents = all.filter((other) => other !== request && scripts.has(other.url));
  return parents.length === 0 ? 1 : 1 + Math.max(...parents.map((parent) => waterfallDepth(parent, all)));
}

const allFrames = (stack) => [...stack.callFrames, ...(stack.parent ? allFrames(stack.parent) : [])];
