import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { maxConnections, openFileLimit } from './max-connections.ts';

describe('AUTH-55 the number of connections', () => {
  it.each([
    [null, null],
    [1_048_576, 1_048_064],
    [1024, 512],
    [2048, 1536],
    [101, 50],
  ])('of %s open files is %s', (files, most) => {
    expect(maxConnections(files)).toBe(most);
  });

  it('comes from the limit of this process', () => {
    const told = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    expect(openFileLimit()).toBe(told === 'unlimited' ? null : Number(told));
  });
});
