import { describe, expect, it } from 'vitest';
import { validateAdminsSearch } from './admins-search-params.ts';
import { canResend, manuallyEndedStatus, statusVariant } from './invitation-status.ts';

describe('status of an invitation', () => {
  it('C192 C193 C194 has its own style for accepted and expired, and one for everything else', () => {
    expect(['accepted', 'expired', 'pending', 'revoked', 'weird', ''].map(statusVariant)).toEqual([
      'default',
      'destructive',
      'secondary',
      'secondary',
      'secondary',
      'secondary',
    ]);
  });
  it('C195 C196 can be sent again unless accepted', () => {
    expect(['accepted', 'expired', 'pending', 'weird'].map(canResend)).toEqual([false, true, true, true]);
  });
  it('asks before it is sent again where somebody ended it', () => {
    expect(['pending', 'expired', 'revoked', 'removed', 'weird'].map(manuallyEndedStatus)).toEqual([
      null,
      null,
      'revoked',
      'removed',
      null,
    ]);
  });
});

describe('search params of the Admins screen', () => {
  it('keeps what it knows', () => {
    expect(validateAdminsSearch({ invite: true, invitation: 'a', other: 1 })).toEqual({
      invite: true,
      invitation: 'a',
    });
    expect(validateAdminsSearch({ invite: 'yes', invitation: 7 })).toEqual({});
  });
});
