import { describe, expect, it } from 'vitest';
import { Pace, Paces } from './pace.ts';

describe('the pace of a text', () => {
  it('is not known at first, and quick after one quick run alone', () => {
    const pace = new Pace();
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(6, 0);
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(2, 0);
    expect(pace.isQuick).toBe(true);
  });

  it('learns nothing from runs alone while it is quick', () => {
    const pace = new Pace();
    pace.ranAlone(3, 0);
    for (let run = 0; run < 100; run += 1) pace.ranShared(0.05, run);
    pace.ranAlone(1, 100);
    expect(pace.expected).toBeLessThan(0.1);
  });

  it('survives the slow first runs that every text has', () => {
    const pace = new Pace();
    pace.ranAlone(3, 0);
    for (let run = 0; run < 6; run += 1) pace.ranShared(30, run);
    for (let run = 0; run < 100; run += 1) pace.ranShared(0.05, run);
    expect(pace.isQuick).toBe(true);
  });

  it('stays away for 5 seconds when its runs take more than half a millisecond on average', () => {
    const pace = new Pace();
    pace.ranAlone(1, 0);
    for (let run = 0; run < 200 && pace.isQuick; run += 1) pace.ranShared(0.6, 1000);
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(1, 5999);
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(1, 6000);
    expect(pace.isQuick).toBe(true);
  });

  it('stays away for 30 seconds when the server had to stop it', () => {
    const pace = new Pace();
    pace.ranAlone(1, 0);
    pace.wasStopped(0);
    pace.ranAlone(1, 29_999);
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(1, 30_000);
    expect(pace.isQuick).toBe(true);
  });

  it('stays away as long when others of its text were under way as it was stopped', () => {
    const pace = new Pace();
    pace.ranAlone(1, 0);
    pace.wasStopped(0);
    pace.ranShared(0.1, 1);
    pace.ranAlone(1, 29_999);
    expect(pace.isQuick).toBe(false);
    pace.ranAlone(1, 30_000);
    expect(pace.isQuick).toBe(true);
  });

  it('is not kept for texts without end', () => {
    const paces = new Paces();
    const long = (n: number): string => `select '${String(n).repeat(100_000)}'`;
    const first = paces.of('a', long(1));
    for (let n = 2; n < 100; n += 1) paces.of('a', long(n));
    expect(paces.of('a', long(1))).not.toBe(first);
  });

  it('belongs to a text and the key of its plan', () => {
    const paces = new Paces();
    expect(paces.of('a', 'select 1')).toBe(paces.of('a', 'select 1'));
    expect(paces.of('a', 'select 1')).not.toBe(paces.of('b', 'select 1'));
  });
});
