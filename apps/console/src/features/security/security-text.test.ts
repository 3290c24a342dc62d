import { expect, it } from 'vitest';
import { providerName } from './security-text.ts';

it.each([
  ['email', 'Email and password'],
  ['google', 'Google'],
  ['github', 'GitHub'],
  ['linkedin_oidc', 'LinkedIn'],
  ['our_club', 'Our club'],
  ['constructor', 'Constructor'],
  ['', ''],
])('formats the provider %j as %j', (provider, name) => {
  expect(providerName(provider)).toBe(name);
});
