import { describe, expect, it } from 'vitest';
import { newAccountSchema, type NewAccountInput } from './accounts.ts';

const valid: NewAccountInput = {
  name: 'Vail Ski Patrol',
  account_type: 'organization',
  address: '',
  city: '',
  state: '',
  zip_code: '',
};

const messages = (change: object): string[] => {
  const result = newAccountSchema.safeParse({ ...valid, ...change });
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
};

describe('a new account', () => {
  it('has null for empty optional fields', { tags: ['C157'] }, () => {
    expect(newAccountSchema.parse({ ...valid, city: '   ' })).toEqual({
      name: 'Vail Ski Patrol',
      account_type: 'organization',
      address: null,
      city: null,
      state: null,
      zip_code: null,
    });
  });

  it('has a trimmed name', { tags: ['C208'] }, () => {
    expect(newAccountSchema.parse({ ...valid, name: '  X  ' }).name).toBe('X');
    expect(messages({ name: '   ' })).toEqual(['Account name is required']);
  });

  for (const [tags, change, message] of [
    [['C207'], { name: '' }, 'Account name is required'],
    [['C209'], { name: 'n'.repeat(201) }, 'Name must be less than 200 characters'],
    [['C210'], { account_type: '' }, 'Please select an account type'],
    [['C212'], { address: 'a'.repeat(501) }, 'Address must be less than 500 characters'],
    [['C213'], { city: 'c'.repeat(101) }, 'City must be less than 100 characters'],
    [['C214'], { state: 's'.repeat(51) }, 'State must be less than 50 characters'],
    [['C215'], { zip_code: 'z'.repeat(21) }, 'Zip code must be less than 20 characters'],
    [[], { name: 'a\u0000b' }, 'Control characters are not allowed'],
    [[], { name: 'a\u202eb' }, 'Control characters are not allowed'],
    [[], { name: '\ufdfa'.repeat(34) }, 'This text has too many special characters. Shorten it'],
    [[], { name: '\ufdfa'.repeat(1000) }, 'Name must be less than 200 characters'],
    [[], { city: '\u3316'.repeat(51) }, 'This text has too many special characters. Shorten it'],
    [[], { state: '\ufdfa'.repeat(9) }, 'This text has too many special characters. Shorten it'],
  ] as [string[], object, string][]) {
    it(`is rejected for ${JSON.stringify(change)}`, { tags }, () => {
      expect(messages(change)).toEqual([message]);
    });
  }

  for (const [tags, change] of [
    [['C209'], { name: 'n'.repeat(200) }],
    [['C209'], { name: '🚑'.repeat(200) }],
    [[], { name: '\uac01'.repeat(200) }],
    [[], { name: '\ufdfa'.repeat(33) }],
    [['C212'], { address: 'a'.repeat(500) }],
    [['C213'], { city: 'c'.repeat(100) }],
    [['C214'], { state: 's'.repeat(50) }],
    [['C215'], { zip_code: 'z'.repeat(20) }],
  ] as [string[], object][]) {
    it(`accepts the maximum length of the ${Object.keys(change).join()}`, { tags }, () => {
      expect(messages(change)).toEqual([]);
    });
  }
});
