import { describe, expect, it } from 'vitest';
import { findNodeSupportWarning, findPostgresSupportWarning } from './end-of-life.ts';

const now = new Date('2026-11-21');

describe('warns about unsupported versions', { tags: ['OPS-26'] }, () => {
  it.each([
    ['20.20.2', 'Node.js 20 has not received security fixes since 2026-04-30.'],
    ['22.1.0', null],
    ['24.0.0', null],
    ['25.1.0', 'Node.js 25 is not a long-term support release.'],
    ['28.0.0', null],
  ])('Node.js %s', (version, expected) => {
    expect(findNodeSupportWarning(version, now)).toBe(expected);
  });

  it.each([
    [150_017, 'Postgres 15.17 lacks the security fixes of 15.18.'],
    [150_018, null],
    [180_003, 'Postgres 18.3 lacks the security fixes of 18.4.'],
    [190_000, null],
  ])('Postgres %i', (version, expected) => {
    expect(findPostgresSupportWarning(version, now)).toBe(expected);
  });

  it('after the end of life', () => {
    expect(findPostgresSupportWarning(150_099, new Date('2028-01-01'))).toContain('since 2027-11-11');
    expect(findNodeSupportWarning('24.9.9', new Date('2028-06-01'))).toContain('since 2028-04-30');
  });
});
