import { expect, it } from 'vitest';
import { administratorEmailSchema, invitationSchema } from './invitations.ts';

const errorMessages = (input: unknown): string[] => {
  const result = invitationSchema.safeParse(input);
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
};
const nameErrors = (full_name: unknown): string[] => errorMessages({ full_name, email: 'ann@example.org' });

it('trims the name, and converts the email address to lower case', () => {
  expect(invitationSchema.parse({ full_name: '  Ann Lee ', email: ' Ann@Example.ORG ' })).toEqual({
    full_name: 'Ann Lee',
    email: 'ann@example.org',
  });
});

it.each([
  ['Al', []],
  ['é🚑', []],
  ['J. R. Smith', []],
  ['Dr. Ann O’Neil-Smith, MD', []],
  ['x'.repeat(100), []],
  ['A', ['Full name must be at least 2 characters']],
  ['   ', ['Full name must be at least 2 characters']],
  ['🚑', ['Full name must be at least 2 characters']],
  [undefined, ['Full name must be at least 2 characters']],
  [12, ['Full name must be at least 2 characters']],
  ['x'.repeat(101), ['Full name must be at most 100 characters']],
  ['Ann\nLee', ['Control characters are not allowed']],
  ['Ann\u2028Lee', ['Control characters are not allowed']],
  ['see https://x', ['Full name must not contain a URL']],
  ['WWW.evil', ['Full name must not contain a URL']],
  ['visit evil.example/x', ['Full name must not contain a URL']],
  ['böse.example/', ['Full name must not contain a URL']],
])('full name %j gives %j', { tags: ['C217', 'FN-08'] }, (name, messages) => {
  expect(nameErrors(name)).toEqual(messages);
});

it('rejects a homoglyph in an email address', { tags: ['C216', 'AUTH-52'] }, () => {
  for (const email of ['\u212aate@x.com', 'abc', '', 'a@b', undefined]) {
    expect(errorMessages({ full_name: 'Ann Lee', email })).toEqual([
      expect.stringMatching(/^Invalid email address($|: )/),
    ]);
    expect(administratorEmailSchema.safeParse({ email }).success).toBe(false);
  }
});
