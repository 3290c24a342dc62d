import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as ServerClockModule from './server-clock.ts';

type ServerClock = typeof ServerClockModule;

const start = Date.parse('2026-11-27T12:00:00.400Z');

const responseAt = (time: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { headers: { Date: new Date(time).toUTCString(), ...headers } });

describe('clock of the service', () => {
  let clock: ServerClock;
  beforeEach(async () => {
    vi.useFakeTimers({ now: start, toFake: ['Date', 'performance'] });
    vi.resetModules();
    clock = await import('./server-clock.ts');
  });
  afterEach(() => {
    vi.useRealTimers();
    // Files share their modules. Another one must not get the clock of this one.
    vi.resetModules();
  });

  const receive = (response: Response, elapsedMs = 0): void => {
    const startedAt = performance.now();
    vi.advanceTimersByTime(elapsedMs);
    clock.observeServerTime(response, startedAt);
  };

  it('is that of the device as long as the responses agree with it', () => {
    receive(responseAt('2026-11-27T12:00:00Z'));
    receive(responseAt('2026-11-27T12:00:03Z'), 3_500);
    expect(clock.getClockOffsetMs()).toBe(0);
  });

  it.each([
    ['an hour behind the device', '2026-11-27T11:00:00Z', -3_600_000],
    ['a day ahead of the device', '2026-11-28T12:00:00Z', 86_400_000],
  ])('is %s', (_name, time, offsetMs) => {
    receive(responseAt(time));
    expect(Math.abs(clock.getClockOffsetMs() - offsetMs)).toBeLessThan(1000);
    expect(clock.serverNow().toISOString().slice(0, 16)).toBe(time.slice(0, 16));
  });

  it('becomes more exact with a faster response, and follows a clock that was set', () => {
    receive(responseAt('2026-11-27T13:00:00Z'), 20_000);
    const first = clock.getClockOffsetMs();
    receive(responseAt('2026-11-27T13:00:10Z'));
    expect(clock.getClockOffsetMs()).toBeGreaterThanOrEqual(first);
    vi.setSystemTime(Date.parse('2026-11-27T13:00:11Z'));
    receive(responseAt('2026-11-27T13:00:11Z'));
    expect(Math.abs(clock.getClockOffsetMs())).toBeLessThan(1000);
  });

  it.each([
    ['without the header', new Response(null)],
    ['with an invalid header', new Response(null, { headers: { Date: 'soon' } })],
    ['from a cache', responseAt('2026-11-20T12:00:00Z', { Age: '60' })],
  ])('ignores a response %s', (_name, response) => {
    receive(response);
    expect(clock.getClockOffsetMs()).toBe(0);
  });

  it('reports a change once, and not to a listener that has left', () => {
    const [stays, leaves] = [vi.fn(), vi.fn()];
    clock.subscribeToClockOffset(stays);
    clock.subscribeToClockOffset(leaves)();
    receive(responseAt('2026-11-27T15:00:00Z'));
    receive(responseAt('2026-11-27T15:00:00Z'));
    expect(stays).toHaveBeenCalledTimes(1);
    expect(leaves).not.toHaveBeenCalled();
  });
});
