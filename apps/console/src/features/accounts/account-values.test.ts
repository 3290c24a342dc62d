import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testAccount } from './test-account.ts';
import {
  conflictingFields,
  differingFields,
  mergeEdits,
  toAccountValues,
  toFormValues,
} from './account-values.ts';

describe('account values', () => {
  it('are the same as text and as stored', () => {
    const values = toAccountValues(testAccount({ city: 'Vail' }));
    expect(toFormValues(values)).toEqual({
      name: 'Vail Ski Patrol',
      account_type: 'enterprise',
      address: '',
      city: 'Vail',
      state: '',
      zip_code: '',
    });
    expect(differingFields(values, { ...values, state: '' })).toEqual([]);
  });

  it('differ per field, in the order of the form', () => {
    const values = toAccountValues(testAccount());
    expect(differingFields(values, { ...values, zip_code: '81657', name: 'Aspen' })).toEqual([
      'name',
      'zip_code',
    ]);
  });
});

describe('concurrent edits', () => {
  const basis = toAccountValues(testAccount({ city: 'Vail', state: 'CO' }));

  it('conflict in the fields that both changed to different values', () => {
    const mine = { ...basis, name: 'Vail', city: 'Aspen', zip_code: '81657' };
    const theirs = { ...basis, city: 'Boulder', state: 'Colorado', zip_code: '81657' };
    expect(conflictingFields({ basis, mine, theirs })).toEqual(['city']);
    expect(mergeEdits({ basis, mine, theirs })).toEqual({
      ...basis,
      name: 'Vail',
      city: 'Aspen',
      state: 'Colorado',
      zip_code: '81657',
    });
  });

  it('do not conflict in an empty text and a missing one', () => {
    const mine = { ...basis, address: '' };
    const theirs = { ...basis, address: null };
    expect(conflictingFields({ basis, mine, theirs })).toEqual([]);
  });

  it('are both kept where they do not conflict', () => {
    const values = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      account_type: fc.constantFrom('enterprise' as const, 'organization' as const),
      address: fc.constantFrom(null, 'a', 'b'),
      city: fc.constantFrom(null, 'a', 'b'),
      state: fc.constantFrom(null, 'a', 'b'),
      zip_code: fc.constantFrom(null, 'a', 'b'),
    });
    fc.assert(
      fc.property(values, values, values, (start, mine, theirs) => {
        const edits = { basis: start, mine, theirs };
        const merged = mergeEdits(edits);
        for (const name of differingFields(start, mine)) expect(merged[name]).toBe(mine[name]);
        const conflicting = conflictingFields(edits);
        for (const name of differingFields(start, theirs))
          if (!conflicting.includes(name)) expect(merged[name]).toBe(theirs[name]);
      }),
    );
  });
});
