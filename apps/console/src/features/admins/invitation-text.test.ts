import { describe, expect, it } from 'vitest';
import { adminActionsFor } from './invitation-text.ts';

describe('the actions of an invitation', () => {
  it('depend on its status', () => {
    const statuses = ['pending', 'expired', 'accepted', 'removed', 'revoked', 'constructor'];
    expect(statuses.map((status) => adminActionsFor(status, false))).toEqual([
      ['revoke'],
      ['revoke'],
      ['remove'],
      ['restore'],
      [],
      [],
    ]);
  });

  it('include the removal of a second factor in every status', () => {
    expect(adminActionsFor('accepted', true)).toEqual(['reset-factors', 'remove']);
    expect(adminActionsFor('revoked', true)).toEqual(['reset-factors']);
  });
});
