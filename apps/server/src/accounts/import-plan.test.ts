import { describe, expect, it } from 'vitest';
import { createRepeatCheck } from '@lanternrock/contract/account-import';
import { type ExistingAccount, parseRows, planRows } from './import-plan.ts';

/** Counts how often the name of an account is read, which is how often it can be folded. */
function createAccounts(count: number) {
  let reads = 0;
  const accounts = Array.from({ length: count }, (_, index): ExistingAccount => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    // Names without ASCII letters have the same slug.
    slug: '',
    get name() {
      reads += 1;
      return '救'.repeat(index + 1);
    },
    account_type: 'enterprise',
    address: null,
    city: null,
    state: null,
    zip_code: null,
    updated_at: '2026-01-01',
  }));
  return { accounts, readsPerAccount: () => reads / count };
}

describe('the plan of an import', () => {
  it('folds each name a constant number of times', () => {
    const { accounts, readsPerAccount } = createAccounts(150);
    const rows = Array.from({ length: 150 }, (_, index) => ({
      line: index + 2,
      name: '救'.repeat(index + 1),
      account_type: 'enterprise',
      city: '',
    }));
    const planned = planRows(parseRows(rows), accounts, { findRepeat: createRepeatCheck() });
    expect(planned.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unchanged'));
    expect(readsPerAccount()).toBeLessThan(6);
  });

  it('names accounts by name and city, in any case and with any accents', () => {
    const [account] = createAccounts(1).accounts;
    if (!account) throw new Error('no account');
    const existing = ['Vail', 'Genève', null].map((city, index) => ({
      ...account,
      id: `00000000-0000-4000-8000-00000000000${index}`,
      name: 'Zürich Rescue',
      slug: 'z-rich-rescue',
      city,
    }));
    const plan = (row: object) =>
      planRows(parseRows([{ line: 2, name: 'ZÜRICH rescue', ...row }]), existing, {
        findRepeat: createRepeatCheck(),
      })[0];
    expect(plan({ city: 'GENEVE' })).toMatchObject({ account: { city: 'Genève' } });
    expect(plan({ city: '' })).toMatchObject({ account: { city: null } });
    expect(plan({})).toMatchObject({
      reason: '3 accounts have this name. Add the ID of one of them',
    });
    expect(plan({ city: 'Oslo', account_type: 'enterprise' })).toMatchObject({ outcome: 'created' });
  });
});
