import { expect, it } from 'vitest';
import { isPreloadWorthwhile } from './preload.ts';

const file = (transferSize: number, milliseconds: number) => ({
  transferSize,
  responseStart: 100,
  responseEnd: 100 + milliseconds,
});

it.each([
  ['no information', undefined, [], true],
  ['a fast connection', { effectiveType: '4g', saveData: false }, [file(70_000, 90)], true],
  ['files from the cache', { effectiveType: '4g' }, [file(0, 0), file(300, 900)], true],
  ['the data saver', { effectiveType: '4g', saveData: true }, [], false],
  ['2g', { effectiveType: '2g' }, [], false],
  ['slow-2g', { effectiveType: 'slow-2g' }, [], false],
  ['3g', { effectiveType: '3g' }, [file(70_000, 1000)], true],
  ['50 kbit/s behind a fast network', { effectiveType: '4g' }, [file(70_000, 11_000)], false],
])('preloads unless the connection is slow or metered: %s', (_case, connection, files, expected) => {
  expect(isPreloadWorthwhile(connection, files)).toBe(expected);
});
