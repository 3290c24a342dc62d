/** Compares docs/wire-auth.md with the published client: every public method is listed with a test that calls it. */
import { GoTrueAdminApi, GoTrueClient } from '@supabase/auth-js';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = fs.readFileSync(`${root}docs/wire-auth.md`, 'utf8');
const rows = new Map(
  [...(page.split('## Methods of the client')[1] ?? '').matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)].map(
    ([, method = '', test = '']) => [method, test] as const,
  ),
);

/** Returns the methods that the types declare public. */
function listMethods(prototype: object, declaration: string): string[] {
  const directory = `${root}node_modules/@supabase/auth-js/dist/module/`;
  const types = fs.readFileSync(`${directory}${declaration}.d.ts`, 'utf8');
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => {
    const isPrivate = new RegExp(`^ +(?:private|protected) ${name}\\b`, 'm').test(types);
    return name === 'constructor' || typeof value !== 'function' || isPrivate || name.startsWith('_')
      ? []
      : [name];
  });
}

/** Returns the functions of a namespace such as `mfa`, and of the namespaces in it. */
function listCalls(namespace: object, prefix: string): string[] {
  const names = new Set([
    ...Object.keys(namespace),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(namespace)),
  ]);
  return [...names].flatMap((name) => {
    const value: unknown = Reflect.get(namespace, name);
    if (name.startsWith('_') || name === 'client' || name in Object.prototype) return [];
    if (typeof value === 'function') return [`${prefix}.${name}`];
    return typeof value === 'object' && value !== null ? listCalls(value, `${prefix}.${name}`) : [];
  });
}

function published(): string[] {
  const client = new GoTrueClient({
    url: 'http://localhost',
    persistSession: false,
    autoRefreshToken: false,
  });
  const { admin, mfa, oauth, passkey } = client;
  return [
    ...listMethods(GoTrueClient.prototype, 'GoTrueClient'),
    ...listCalls(mfa, 'mfa'),
    ...listCalls(oauth, 'oauth'),
    ...listCalls(passkey, 'passkey'),
    ...listMethods(GoTrueAdminApi.prototype, 'GoTrueAdminApi').map((name) => `admin.${name}`),
    ...listCalls(admin.mfa, 'admin.mfa'),
    ...listCalls(admin.oauth, 'admin.oauth'),
    ...listCalls(admin.customProviders, 'admin.customProviders'),
    ...listCalls(admin.passkey, 'admin.passkey'),
  ];
}

const sources = (directory: string): string =>
  fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(`${directory}/${name}`, 'utf8'))
    .join('\n');

describe('docs/wire-auth.md', () => {
  it('lists every public method of the client and no other', () => {
    const names = published();
    expect(names.length).toBeGreaterThan(70);
    expect([...rows.keys()].sort()).toEqual(names.sort());
  });

  it.each([...rows])('%s has a test that calls it, or a reason', (method, test) => {
    const call = new RegExp(`\\.${method.split('.').at(-1) ?? ''}\\(`);
    const [, outer] = /^inside `([\w.]+)`$/.exec(test) ?? [];
    if (outer !== undefined) return expect(rows.has(outer)).toBe(true);
    if (test.startsWith('client only: ')) return expect(test.length).toBeGreaterThan(20);
    const [, file = ''] = /\]\(\.\.\/([\w./-]+)\)/.exec(test) ?? [];
    const source = fs.readFileSync(`${root}${file}`, 'utf8');
    // A browser test clicks buttons; the console calls the method.
    expect(file.startsWith('e2e/') ? sources(`${root}apps/console/src`) : source).toMatch(call);
  });

  it('states for every topic whether it is done, partly done or not offered', () => {
    const topics =
      page.split('## Methods of the client')[0]?.match(/^\| (?!topic|---)[^|]+\|[^|]+\|/gm) ?? [];
    expect(topics.length).toBeGreaterThan(50);
    for (const topic of topics) expect(topic).toMatch(/\| (done|partly|not offered) \|$/);
  });
});
