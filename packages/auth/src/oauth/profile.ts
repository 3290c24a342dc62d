/** Converts the claims of all providers to one profile type. */
import * as oidc from 'openid-client';
import { tryParseEmail } from '../users/contact-input.ts';
import type { OAuthProvider } from '../oauth-providers.ts';

export interface Profile {
  /** The provider's stable ID of the user. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Stored as identity_data and merged into user_metadata. */
  readonly data: Readonly<Record<string, unknown>>;
}

const copiedClaims = [
  'name',
  'full_name',
  'preferred_username',
  'user_name',
  'login',
  'avatar_url',
  'picture',
  'locale',
];

/** @returns null without a subject */
export function toProfile(
  claims: Readonly<Record<string, unknown>>,
  provider: OAuthProvider,
): Profile | null {
  const subject =
    typeof claims['sub'] === 'string'
      ? claims['sub']
      : typeof claims['id'] === 'number'
        ? String(claims['id'])
        : '';
  if (subject === '') return null;
  const email = typeof claims['email'] === 'string' ? tryParseEmail(claims['email']) : null;
  // Some providers send the flag as a string.
  const emailVerified =
    email !== null && (claims['email_verified'] === true || claims['email_verified'] === 'true');
  const stringClaims = Object.fromEntries(
    copiedClaims.flatMap((name) => {
      const value = claims[name];
      return typeof value === 'string' ? [[name, value.slice(0, 500)]] : [];
    }),
  );
  const name = stringClaims['full_name'] ?? stringClaims['name'];
  const data = {
    ...stringClaims,
    ...(name === undefined ? {} : { full_name: name, name }),
    iss: provider.settings.issuer ?? provider.settings.authorization_endpoint,
    sub: subject,
    provider_id: subject,
    ...(email === null ? {} : { email }),
    email_verified: emailVerified,
    phone_verified: false,
  };
  return { subject, email, emailVerified, data };
}

/** Fetches the profile with an access token, for providers without ID tokens. */
export async function fetchProfile(
  configuration: oidc.Configuration,
  provider: OAuthProvider,
  accessToken: string,
): Promise<Profile | null> {
  const { userinfo_endpoint, emails_endpoint } = provider.settings;
  const get = async (url: string): Promise<unknown> => {
    const headers = new Headers({ Accept: 'application/json', 'User-Agent': 'Lanternrock' });
    const response = await oidc.fetchProtectedResource(
      configuration,
      accessToken,
      new URL(url),
      'GET',
      null,
      headers,
    );
    if (!response.ok) throw new Error(`The provider responded with status ${response.status}`);
    return response.json();
  };
  if (userinfo_endpoint === undefined) return null;
  const claims = (await get(userinfo_endpoint)) as Record<string, unknown>;
  if (emails_endpoint === undefined) return toProfile(claims, provider);
  const emails = (await get(emails_endpoint)) as { email: string; primary: boolean; verified: boolean }[];
  const primary = emails.find((entry) => entry.primary);
  return toProfile(
    { ...claims, email: primary?.email, email_verified: primary?.verified === true },
    provider,
  );
}
