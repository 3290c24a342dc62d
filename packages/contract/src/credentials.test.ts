import { describe, expect, it } from 'vitest';
import { normalizePassword, passwordMaxBytes, setPasswordSchema, signInSchema } from './credentials.ts';
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

  it('counts and compares passwords as they are hashed', { tags: ['C205', 'C206'] }, () => {
    const form = (password: string, confirmPassword = password): string[] =>
      issues(setPasswordSchema.safeParse({ password, confirmPassword }));
    const [short, long] = [
      'password: Password must be at least 8 characters',
      'password: Password cannot be longer than 72 bytes',
    ];
    // Seven letters, decomposed, with a full-width digit, and one ligature that counts as two.
    expect(form('Zürichs'.normalize('NFD'))).toEqual([short]);
    expect(form('한국어'.normalize('NFD'))).toEqual([short]);
    expect(form('Zürich１２')).toEqual([]);
    expect(form('ﬁreﬁre')).toEqual([]);
    // 75 bytes before, 72 after; and 60 bytes before, 660 after.
    expect(form(`${'e\u0301'.repeat(3)}${'a'.repeat(66)}`)).toEqual([]);
    expect(form('１'.repeat(72))).toEqual([]);
    expect(form('\ufdfa'.repeat(20))).toEqual([long]);
    expect(form('Bergführer-1', 'Bergführer-1'.normalize('NFD'))).toEqual([]);
    const signIn = (password: string): boolean =>
      signInSchema.safeParse({ email: 'a@b.co', password }).success;
    // A password from before normalization can be shorter afterwards.
    expect(signIn('ééé'.normalize('NFD'))).toBe(true);
    expect(signIn('ééé')).toBe(false);
  });

  it('does not normalize a password that is too long in each form', () => {
    const long = 'A\u030a'.repeat(5 * passwordMaxBytes + 1);
    expect(normalizePassword(long)).toBe(long);
    expect(normalizePassword(long.slice(2))).not.toBe(long.slice(2));
    expect(issues(setPasswordSchema.safeParse({ password: long, confirmPassword: long }))).toEqual([
      'password: Password cannot be longer than 72 bytes',
    ]);
    for (let point = 1; point <= 0x10ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      const bytes = new TextEncoder().encode(character.normalize('NFKC')).length;
      if (character.length > 10 * bytes) expect(bytes, point.toString(16)).toBe(0);
    }
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
