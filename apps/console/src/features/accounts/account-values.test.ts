import { describe, expect, it } from 'vitest';
import { testAccount } from './test-account.ts';
import { differingFields, toAccountValues, toFormValues } from './account-values.ts';

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
