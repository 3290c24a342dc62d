import { describe, expect, it } from 'vitest';
import { invitationActionsFor, canResend, manuallyEndedStatus, statusVariant } from './invitation-status.tsx';

describe('status of an invitation', () => {
  it(
    'has separate styles for accepted, expired and all other values',
    { tags: ['C192', 'C193', 'C194'] },
    () => {
      expect(['accepted', 'expired', 'pending', 'revoked', 'weird', ''].map(statusVariant)).toEqual([
        'default',
        'destructive',
        'secondary',
        'secondary',
        'secondary',
        'secondary',
      ]);
    },
  );
  it('allows a resend unless it is accepted', { tags: ['C195', 'C196'] }, () => {
    expect(['accepted', 'expired', 'pending', 'weird'].map(canResend)).toEqual([false, true, true, true]);
  });
  it('requires a confirmation for a resend if it is revoked or removed', () => {
    expect(['pending', 'expired', 'revoked', 'removed', 'weird'].map(manuallyEndedStatus)).toEqual([
      null,
      null,
      'revoked',
      'removed',
      null,
    ]);
  });
});

describe('the actions of an invitation', () => {
  it('depend on its status', () => {
    const statuses = ['pending', 'expired', 'accepted', 'removed', 'revoked', 'constructor'];
    expect(statuses.map((status) => invitationActionsFor(status, false))).toEqual([
      ['revoke'],
      ['revoke'],
      ['remove'],
      ['restore'],
      [],
      [],
    ]);
  });

  it('include the removal of a second factor in every status', () => {
    expect(invitationActionsFor('accepted', true)).toEqual(['reset-factors', 'remove']);
    expect(invitationActionsFor('revoked', true)).toEqual(['reset-factors']);
  });
});
