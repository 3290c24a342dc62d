import { describe, expect, it } from 'vitest';
import { setPasswordSchema, signInSchema } from './credentials.ts';
import { invitationSchema } from './invitations.ts';
import { notificationSettingsSchema } from './notification-settings.ts';

const issues = (result: {
  error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined;
}): string[] => (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);

describe('forms', () => {
  it('sign-in requires six characters', { tags: ['C203'] }, () => {
    expect(issues(signInSchema.safeParse({ email: 'a@b.co', password: '12345' }))).toEqual([
      'password: Password must be at least 6 characters',
    ]);
    expect(signInSchema.safeParse({ email: 'a@b.co', password: '123456' }).success).toBe(true);
  });

  it('a new password requires eight code points', { tags: ['C205'] }, () => {
    const form = (password: string): string[] =>
      issues(setPasswordSchema.safeParse({ password, confirmPassword: password }));
    expect(form('1234567')).toEqual(['password: Password must be at least 8 characters']);
    expect(form('12345678')).toEqual([]);
    expect(form('🚑🚑🚑🚑🚑🚑🚑')).toEqual(['password: Password must be at least 8 characters']);
    expect(form('é'.repeat(37))).toEqual(['password: Password cannot be longer than 72 bytes']);
  });

  it('reports a mismatch at the confirmation field', { tags: ['C206'] }, () => {
    expect(
      issues(setPasswordSchema.safeParse({ password: '12345678', confirmPassword: '12345679' })),
    ).toEqual(["confirmPassword: Passwords don't match"]);
  });

  it('an invitation requires a name of two characters after trimming', { tags: ['C217'] }, () => {
    expect(issues(invitationSchema.safeParse({ full_name: ' A ', email: 'a@b.co' }))).toEqual([
      'full_name: Full name must be at least 2 characters',
    ]);
    expect(invitationSchema.parse({ full_name: ' Al ', email: 'A@b.co' })).toEqual({
      full_name: 'Al',
      email: 'a@b.co',
    });
  });

  it('the sender settings have separate messages', { tags: ['C218', 'C219', 'C220'] }, () => {
    const form = (sender_email: string, sender_name: string): string[] =>
      issues(notificationSettingsSchema.safeParse({ sender_email, sender_name }));
    expect(form('abc', 'Patrol')).toEqual(['sender_email: Must be a valid email address']);
    expect(form('a@b.co', '')).toEqual(['sender_name: Sender name is required']);
    expect(form('a@b.co', 'n'.repeat(100))).toEqual([]);
    expect(form('a@b.co', 'n'.repeat(101))).toEqual([
      'sender_name: String must contain at most 100 character(s)',
    ]);
  });
});
