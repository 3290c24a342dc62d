/** Compares docs/auth-endpoints.md with the endpoints and the error codes of the package. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { endpoints } from './endpoints.ts';

const source = fileURLToPath(new URL('.', import.meta.url));
const page = fs.readFileSync(path.join(source, '../../../docs/auth-endpoints.md'), 'utf8');

const guardNames = { anyone: 'none', user: 'user', session: 'session', service: 'secret key' };

/** The rows of an endpoint that the page must have, as `METHOD /path: access`. */
const expected = endpoints.map(([method, route, { spec }]) => {
  const freshness = spec.fresh === true ? ['+fresh'] : spec.fresh || spec.freshFor ? ['+fresh?'] : [];
  const steps = (['setup', 'factor'] as const).filter((step) => spec.allow?.includes(step));
  const access = [guardNames[spec.guard], ...steps.map((step) => `+${step}`), ...freshness].join(' ');
  return `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}: ${access}`;
});

const rows = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \| ([^|]+) \|(?:[^|]*\|){3}$/gm)].map(
  ([, endpoint = '', access = '']) => `${endpoint}: ${access}`,
);

/** Returns the error codes that the sources create, and the lines with a code from a template. */
function errorCodes(): Set<string> {
  const texts = fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => fs.readFileSync(path.join(source, name), 'utf8'));
  const created = texts.flatMap((text) => [
    ...text.matchAll(/(?:AuthError|refreshError|disabledEndpoint)\((?:\s*[\w.]+,)?\s*'(\w+)'/g),
  ]);
  return new Set(created.map(([, code = '']) => code));
}

describe('docs/auth-endpoints.md', () => {
  it('has one row for each endpoint, with its access', () => {
    expect(expected.length).toBeGreaterThan(60);
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });

  it('names every error code', () => {
    const codes = errorCodes();
    expect(codes.size).toBeGreaterThan(60);
    expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
