import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { maxConnections, readOpenFileLimit } from './max-connections.ts';

describe('the maximum number of connections', { tags: ['AUTH-55'] }, () => {
  it.each([
    [null, null],
    [1_048_576, 1_048_064],
    [1024, 512],
    [2048, 1536],
    [101, 50],
  ])('with a limit of %s open files is %s', (files, max) => {
    expect(maxConnections(files)).toBe(max);
  });

  it('uses the open file limit of this process', () => {
    const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    expect(readOpenFileLimit()).toBe(limit === 'unlimited' ? null : Number(limit));
  });
});
