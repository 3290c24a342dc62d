import { describe, expect, it } from 'vitest';
import { initialView } from './initial-view.ts';

const session = JSON.stringify({ access_token: 'a', refresh_token: 'r', expires_at: 1 });

describe('the initial view of the sign-in document', () => {
  it('is a spinner while a stored session is checked, and the form without one', { tags: ['C022'] }, () => {
    expect(initialView('/auth', session)).toBe('checking');
    expect(initialView('/auth', null)).toBe('form');
    expect(initialView('/auth', 'not a session')).toBe('form');
  });

  it('is the progress text of the page, signed in or not', { tags: ['C024', 'C038'] }, () => {
    for (const stored of [null, session]) {
      expect(initialView('/auth/callback', stored)).toBe('callback');
      expect(initialView('/auth/callback/', stored)).toBe('callback');
      expect(initialView('/auth/set-password', stored)).toBe('set-password');
    }
  });
});
