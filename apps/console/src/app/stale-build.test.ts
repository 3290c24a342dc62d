import { describe, expect, it } from 'vitest';
import { canReload } from './stale-build.ts';

describe('a page that outlives its build', () => {
  it('reloads once, and not again within 30 seconds', () => {
    expect(canReload(null, 1_000_000)).toBe(true);
    expect(canReload('1000000', 1_000_001)).toBe(false);
    expect(canReload('1000000', 1_029_999)).toBe(false);
    expect(canReload('1000000', 1_030_000)).toBe(true);
  });

  it('is not locked out by a clock that was set back or a damaged note', () => {
    expect(canReload('9000000', 1_000_000)).toBe(true);
    expect(canReload('soon', 1_000_000)).toBe(true);
  });
});
