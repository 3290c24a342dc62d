import { describe, expect, it } from 'vitest';
import { selectInitialView } from './initial-view.ts';

const session = JSON.stringify({ access_token: 'a', refresh_token: 'r', expires_at: 1 });

describe('the initial view of the sign-in document', () => {
  it('is a spinner while a stored session is checked, and the form without one', { tags: ['C022'] }, () => {
    expect(selectInitialView('/auth', session)).toBe('checking');
    expect(selectInitialView('/auth', null)).toBe('form');
    expect(selectInitialView('/auth', 'not a session')).toBe('form');
  });

  it('is the progress text of the page, signed in or not', { tags: ['C024', 'C038'] }, () => {
    for (const stored of [null, session]) {
      expect(selectInitialView('/auth/callback', stored)).toBe('callback');
      expect(selectInitialView('/auth/callback/', stored)).toBe('callback');
      expect(selectInitialView('/auth/set-password', stored)).toBe('set-password');
    }
  });
});
