/** Checks that docs/wire-rest.md lists each public method of the published client with a test that calls it. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as client from '@supabase/postgrest-js';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  fs.readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** Internal methods of the client. */
const inner = new Set(['constructor', 'then', 'processResponse', 'cloneRequestState', 'decorateFetch']);

it('lists each client method with a test that calls it', () => {
  const methods = Object.values(client)
    .filter((exported) => typeof exported === 'function' && exported !== client.PostgrestError)
    .flatMap((exported) => Object.getOwnPropertyNames((exported as { prototype: object }).prototype))
    .filter((name) => !inner.has(name));
  const listed = [...read('docs/wire-rest.md').matchAll(/^\| `(\w+)` +\| .* \| (.+?) +\|$/gm)];
  expect(listed.map(([, name]) => name).toSorted()).toEqual([...new Set(methods)].toSorted());
  const tests = read('packages/rest/test/client.test.ts');
  for (const [, name, title] of listed) {
    expect(tests, name).toMatch(new RegExp(`\\.${name}[(<]`));
    expect(tests, name).toContain(`'${title}'`);
  }
});
