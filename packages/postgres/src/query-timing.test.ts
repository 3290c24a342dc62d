import { describe, expect, it } from 'vitest';
import { QueryTiming, QueryTimings } from './query-timing.ts';

describe('the pace of a text', () => {
  it('is not known at first, and quick after one quick run alone', () => {
    const pace = new QueryTiming();
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(6, 0);
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(2, 0);
    expect(pace.isFast).toBe(true);
  });

  it('learns nothing from runs alone while it is quick', () => {
    const pace = new QueryTiming();
    pace.recordDedicated(3, 0);
    for (let run = 0; run < 100; run += 1) pace.recordShared(0.05, run);
    pace.recordDedicated(1, 100);
    expect(pace.expected).toBeLessThan(0.1);
  });

  it('survives the slow first runs that every text has', () => {
    const pace = new QueryTiming();
    pace.recordDedicated(3, 0);
    for (let run = 0; run < 6; run += 1) pace.recordShared(30, run);
    for (let run = 0; run < 100; run += 1) pace.recordShared(0.05, run);
    expect(pace.isFast).toBe(true);
  });

  it('stays away for 5 seconds when its runs take more than half a millisecond on average', () => {
    const pace = new QueryTiming();
    pace.recordDedicated(1, 0);
    for (let run = 0; run < 200 && pace.isFast; run += 1) pace.recordShared(0.6, 1000);
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(1, 5999);
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(1, 6000);
    expect(pace.isFast).toBe(true);
  });

  it('stays away for 30 seconds when the server had to stop it', () => {
    const pace = new QueryTiming();
    pace.recordDedicated(1, 0);
    pace.recordCanceled(0);
    pace.recordDedicated(1, 29_999);
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(1, 30_000);
    expect(pace.isFast).toBe(true);
  });

  it('stays away as long when others of its text were under way as it was stopped', () => {
    const pace = new QueryTiming();
    pace.recordDedicated(1, 0);
    pace.recordCanceled(0);
    pace.recordShared(0.1, 1);
    pace.recordDedicated(1, 29_999);
    expect(pace.isFast).toBe(false);
    pace.recordDedicated(1, 30_000);
    expect(pace.isFast).toBe(true);
  });

  it('is not kept for texts without end', () => {
    const paces = new QueryTimings();
    const long = (n: number): string => `select '${String(n).repeat(100_000)}'`;
    const first = paces.of('a', long(1));
    for (let n = 2; n < 100; n += 1) paces.of('a', long(n));
    expect(paces.of('a', long(1))).not.toBe(first);
  });

  it('belongs to a text and the key of its plan', () => {
    const paces = new QueryTimings();
    expect(paces.of('a', 'select 1')).toBe(paces.of('a', 'select 1'));
    expect(paces.of('a', 'select 1')).not.toBe(paces.of('b', 'select 1'));
  });
});
