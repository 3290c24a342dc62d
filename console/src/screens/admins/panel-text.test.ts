import { describe, expect, it } from 'vitest';
import { actOf } from './panel-text.ts';

describe('what can be done about somebody in the side panel', () => {
  it('fits the status', () => {
    expect(['pending', 'expired', 'accepted', 'removed', 'revoked', 'weird'].map(actOf)).toEqual([
      'revoke',
      'revoke',
      'remove',
      'restore',
      null,
      null,
    ]);
  });
});
