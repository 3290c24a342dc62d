/** Sign-in providers as people call them. */
import { securityText } from './security-text.ts';

/** Names that are more than their word with a capital. */
const names: Readonly<Record<string, string>> = {
  email: securityText.identities.email,
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
};

/** 'google' is 'Google', 'our_club' is 'Our club'. */
export const providerName = (provider: string): string => {
  const known = Object.hasOwn(names, provider) ? names[provider] : undefined;
  if (known !== undefined) return known;
  const words = provider.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? provider : words.charAt(0).toUpperCase() + words.slice(1);
};
