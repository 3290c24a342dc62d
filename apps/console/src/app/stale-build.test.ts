import { describe, expect, it } from 'vitest';
import { canReload } from './stale-build.ts';

describe('canReload', () => {
  it('allows one reload in 30 seconds', () => {
    expect(canReload(null, 1_000_000)).toBe(true);
    expect(canReload('1000000', 1_000_001)).toBe(false);
    expect(canReload('1000000', 1_029_999)).toBe(false);
    expect(canReload('1000000', 1_030_000)).toBe(true);
  });

  it('allows a reload after a clock change or with an invalid stored time', () => {
    expect(canReload('9000000', 1_000_000)).toBe(true);
    expect(canReload('soon', 1_000_000)).toBe(true);
  });
});
