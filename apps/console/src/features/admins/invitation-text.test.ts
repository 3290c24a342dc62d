import { describe, expect, it } from 'vitest';
import { actsOf } from './invitation-text.ts';

describe('the actions of an invitation', () => {
  it('depend on its status', () => {
    const statuses = ['pending', 'expired', 'accepted', 'removed', 'revoked', 'constructor'];
    expect(statuses.map((status) => actsOf(status, false))).toEqual([
      ['revoke'],
      ['revoke'],
      ['remove'],
      ['restore'],
      [],
      [],
    ]);
  });

  it('include the removal of a second factor in every status', () => {
    expect(actsOf('accepted', true)).toEqual(['reset-factors', 'remove']);
    expect(actsOf('revoked', true)).toEqual(['reset-factors']);
  });
});
