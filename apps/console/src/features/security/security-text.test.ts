import { expect, it } from 'vitest';
import { providerName } from './security-text.ts';

it.each([
  ['google', 'Google'],
  ['github', 'GitHub'],
  ['linkedin_oidc', 'LinkedIn'],
  ['our_club', 'Our club'],
  ['constructor', 'Constructor'],
  ['', ''],
])('formats the provider %j as %j', (provider, name) => {
  expect(providerName(provider)).toBe(name);
});
