import { describe, expect, it } from 'vitest';
import { QueryTiming, QueryTimings } from './query-timing.ts';

describe('query timing', () => {
  it('is fast after one fast run on a dedicated connection', () => {
    const timing = new QueryTiming();
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(6, 0);
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(2, 0);
    expect(timing.isFast).toBe(true);
  });

  it('ignores dedicated runs while the statement is fast', () => {
    const timing = new QueryTiming();
    timing.recordDedicated(3, 0);
    for (let run = 0; run < 100; run += 1) timing.recordShared(0.05, run);
    timing.recordDedicated(1, 100);
    expect(timing.expectedMs).toBeLessThan(0.1);
  });

  it('stays fast despite slow first shared runs', () => {
    const timing = new QueryTiming();
    timing.recordDedicated(3, 0);
    for (let run = 0; run < 6; run += 1) timing.recordShared(30, run);
    for (let run = 0; run < 100; run += 1) timing.recordShared(0.05, run);
    expect(timing.isFast).toBe(true);
  });

  it('excludes a statement for 5 seconds if its shared runs average more than 0.5 ms', () => {
    const timing = new QueryTiming();
    timing.recordDedicated(1, 0);
    for (let run = 0; run < 200 && timing.isFast; run += 1) timing.recordShared(0.6, 1000);
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(1, 5999);
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(1, 6000);
    expect(timing.isFast).toBe(true);
  });

  it('excludes a statement for 30 seconds after the server canceled it', () => {
    const timing = new QueryTiming();
    timing.recordDedicated(1, 0);
    timing.recordCanceled(0);
    timing.recordDedicated(1, 29_999);
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(1, 30_000);
    expect(timing.isFast).toBe(true);
  });

  it('keeps the 30 seconds if a concurrent run of the canceled statement succeeds', () => {
    const timing = new QueryTiming();
    timing.recordDedicated(1, 0);
    timing.recordCanceled(0);
    timing.recordShared(0.1, 1);
    timing.recordDedicated(1, 29_999);
    expect(timing.isFast).toBe(false);
    timing.recordDedicated(1, 30_000);
    expect(timing.isFast).toBe(true);
  });

  it('evicts timings above the maximum size of the texts', () => {
    const timings = new QueryTimings();
    const long = (n: number): string => `select '${String(n).repeat(100_000)}'`;
    const first = timings.get('a', long(1));
    for (let n = 2; n < 100; n += 1) timings.get('a', long(n));
    expect(timings.get('a', long(1))).not.toBe(first);
  });

  it('is stored per plan key and text', () => {
    const timings = new QueryTimings();
    expect(timings.get('a', 'select 1')).toBe(timings.get('a', 'select 1'));
    expect(timings.get('a', 'select 1')).not.toBe(timings.get('b', 'select 1'));
  });
});
