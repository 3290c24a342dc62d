/** Display names of OAuth providers. */
import { securityText } from './security-text.ts';

/** Names that capitalizing the first letter does not produce. */
const names: Readonly<Record<string, string>> = {
  email: securityText.identities.email,
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
};

/** Returns, for example, 'Google' for 'google' and 'Our club' for 'our_club'. */
export const providerName = (provider: string): string => {
  const known = Object.hasOwn(names, provider) ? names[provider] : undefined;
  if (known !== undefined) return known;
  const words = provider.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? provider : words.charAt(0).toUpperCase() + words.slice(1);
};
