import { describe, expect, it } from 'vitest';
import { nodeSupportWarning, postgresSupportWarning } from './end-of-life.ts';

const now = new Date('2026-11-21');

describe('OPS-26 versions past their support', () => {
  it.each([
    ['20.20.2', 'Node 20 gets no security fixes since 2026-04-30.'],
    ['22.1.0', null],
    ['24.0.0', null],
    ['25.1.0', 'Node 25 is no long-term line.'],
    ['28.0.0', null],
  ])('Node %s', (version, problem) => {
    expect(nodeSupportWarning(version, now)).toBe(problem);
  });

  it.each([
    [150_017, 'Postgres 15.17 misses security fixes that 15.18 has.'],
    [150_018, null],
    [180_003, 'Postgres 18.3 misses security fixes that 18.4 has.'],
    [190_000, null],
  ])('Postgres %i', (version, problem) => {
    expect(postgresSupportWarning(version, now)).toBe(problem);
  });

  it('end with time', () => {
    expect(postgresSupportWarning(150_099, new Date('2028-01-01'))).toContain('since 2027-11-11');
    expect(nodeSupportWarning('24.9.9', new Date('2028-06-01'))).toContain('since 2028-04-30');
  });
});
