import { describe, expect, it } from 'vitest';
import { WriteLimit } from './write-limit.ts';

/** Returns a limit and the rows that it reserved, of which the limiter allows `allowed`. */
function createLimit(allowed = Infinity) {
  const reserved: number[] = [];
  const limit = new WriteLimit(async (_userId, rows) => {
    reserved.push(rows);
    return reserved.reduce((sum, count) => sum + count, 0) > allowed ? 42 : 0;
  });
  return { limit, reserved };
}

describe('the limit of written rows', () => {
  it('asks the shared limiter once per 500 rows', async () => {
    const { limit, reserved } = createLimit();
    for (let n = 0; n < 500; n += 1) await limit.require('ann');
    expect(reserved).toEqual([500]);
    await limit.require('ann');
    expect(reserved).toEqual([500, 500]);
    await limit.require('ben');
    expect(reserved).toEqual([500, 500, 500]);
  });

  it('reserves what an earlier write exceeded', async () => {
    const { limit, reserved } = createLimit();
    await limit.require('ann');
    limit.countRows('ann', 1700);
    await limit.require('ann');
    expect(reserved).toEqual([500, 1700]);
    limit.countRows('ann', 10_000_000);
    await limit.require('ann');
    expect(reserved[2]).toBe(50_500);
  });

  it('rejects writes beyond the limit with the seconds to wait', async () => {
    const { limit } = createLimit(1000);
    for (let n = 0; n < 1000; n += 1) await limit.require('ann');
    await expect(limit.require('ann')).rejects.toMatchObject({
      status: 429,
      code: '429',
      headers: { 'Retry-After': '42' },
    });
  });

  it('does not count the secret key and anonymous clients', async () => {
    const { limit, reserved } = createLimit(0);
    await limit.require(null);
    limit.countRows(null, 1_000_000);
    expect(reserved).toEqual([]);
  });
});
