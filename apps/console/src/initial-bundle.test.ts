/** What the two documents load before anything shows. Sizes are checked in e2e/dedicated-instance/page-weight.spec.ts. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = dirname(fileURLToPath(import.meta.url));

/** Packages that `entry` imports at once, directly or through own files; neither types nor what loads on demand. */
const packagesOf = (entry: string, seen = new Set<string>(), found = new Set<string>()): Set<string> => {
  if (seen.has(entry)) return found;
  seen.add(entry);
  const text = readFileSync(entry, 'utf8');
  for (const [, clause = '', path = ''] of text.matchAll(
    /^(?:import|export) ((?!type)[^;]*?from )?'([^']+)';/gm,
  )) {
    // `import { type A, type B }` leaves nothing behind.
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

// Dialogs, menus, tooltips, forms, validation, server functions: each loads when it is wanted.
const onDemand =
  /^(?:@base-ui\/|@floating-ui\/|react-hook-form|@hookform\/|zod|@supabase\/(?:functions|postgrest)-js)/;

describe('the first view', () => {
  it('of the console imports no overlay, form or validation library', () => {
    const packages = [...packagesOf(join(source, 'documents/console.tsx'))];
    expect(packages).toContain('@tanstack/react-router');
    expect(packages.filter((name) => onDemand.test(name))).toEqual([]);
  });

  it('of the sign-in page imports neither these nor router, queries and auth client', () => {
    const packages = [...packagesOf(join(source, 'documents/auth-main.tsx'))];
    expect(packages).toContain('react');
    expect(packages.filter((name) => onDemand.test(name) || /^@(?:tanstack|supabase)\//.test(name))).toEqual(
      [],
    );
  });
});
