import { describe, expect, it } from 'vitest';
import { accountStatuses } from './account-view.ts';
import {
  accountStatusText,
  isAccountStatus,
  nextStatuses,
  setAccountStatusSchema,
  suspensionReasonSchema,
} from './account-status.ts';

describe('account status', () => {
  it.each([
    ['active', ['suspended', 'archived']],
    ['suspended', ['active', 'archived']],
    ['archived', ['active']],
    ['trial', ['active']],
    ['constructor', ['active']],
  ])('%s can become %j', (status, next) => {
    expect(nextStatuses(status)).toEqual(next);
  });

  it('quotes a status that this version does not know', () => {
    expect(accountStatuses.map(accountStatusText)).toEqual(['active', 'suspended', 'archived']);
    expect(accountStatusText('on hold')).toBe('"on hold"');
    expect(isAccountStatus('toString')).toBe(false);
  });

  it('a reason is one paragraph', () => {
    expect(suspensionReasonSchema.parse('  Unpaid\r\n\tsince May ')).toBe('Unpaid since May');
    expect(suspensionReasonSchema.parse('🏔'.repeat(500))).toHaveLength(1000);
    expect(suspensionReasonSchema.safeParse(' \n ').error?.issues[0]?.message).toBe('A reason is required');
    expect(suspensionReasonSchema.safeParse('x'.repeat(501)).error?.issues[0]?.message).toBe(
      'Reason must be at most 500 characters',
    );
  });

  it.each([
    ['2026-01-01T00:00:00.123456+00:00', true],
    ['2026-01-01T00:00:00Z', true],
    ['0000-01-01T00:00:00Z', false],
    ['2026-02-30T00:00:00Z', false],
    ['infinity', false],
  ])('the time %s is valid: %s', (updated_at, valid) => {
    const input = { account_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff', status: 'active', updated_at };
    expect(setAccountStatusSchema.safeParse(input).success).toBe(valid);
  });
});
