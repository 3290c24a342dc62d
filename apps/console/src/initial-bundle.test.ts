/** Checks the packages in the initial bundles. e2e/frame/page-weight.dedicated.spec.ts checks their sizes. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = dirname(fileURLToPath(import.meta.url));

/** Returns the packages that `entry` imports statically, directly or through files of the source, without types. */
const packagesOf = (entry: string, seen = new Set<string>(), found = new Set<string>()): Set<string> => {
  if (seen.has(entry)) return found;
  seen.add(entry);
  const text = readFileSync(entry, 'utf8');
  for (const [, clause = '', path = ''] of text.matchAll(
    /^(?:import|export) ((?!type)[^;]*?from )?'([^']+)';/gm,
  )) {
    // `import { type A, type B }` is removed by the compiler.
    const names = /\{([^}]*)\}/
      .exec(clause)?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const onlyTypes =
      names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '));
    if (onlyTypes || path.endsWith('.css')) continue;
    if (path.startsWith('.')) packagesOf(resolve(dirname(entry), path), seen, found);
    else if (path.startsWith('@lanternrock/contract/')) {
      packagesOf(
        resolve(source, '../../../packages/contract/src', `${path.split('/').at(-1) ?? ''}.ts`),
        seen,
        found,
      );
    } else found.add(path);
  }
  return found;
};

// Packages of dialogs, menus, tooltips, forms and validation, which load on demand.
const onDemand = /^(?:@base-ui\/|@floating-ui\/|react-hook-form|@hookform\/|zod)/;

describe('the initial bundle', () => {
  it('of the console imports no overlay, form or validation library', () => {
    const packages = [...packagesOf(join(source, 'documents/console.tsx'))];
    expect(packages).toContain('@tanstack/react-router');
    expect(packages.filter((name) => onDemand.test(name))).toEqual([]);
  });

  it('of the sign-in page also imports no router, query or auth client', () => {
    const packages = [...packagesOf(join(source, 'documents/auth.tsx'))];
    expect(packages).toContain('react');
    expect(packages.filter((name) => onDemand.test(name) || /^@(?:tanstack|supabase)\//.test(name))).toEqual(
      [],
    );
  });
});
