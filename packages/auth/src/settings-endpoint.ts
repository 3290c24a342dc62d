/** Public endpoints: `GET /settings`, `GET /health`, the key set and the OpenID configuration. */
import { endpoint } from './endpoint/endpoint.ts';

/** Providers that clients check for; all but the configured ones are reported as disabled. */
const knownProviders = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'x',
  'zoom',
];

export const getSettings = endpoint({ guard: 'anyone' }, async ({ c, context }) => {
  const { config, providers, sms } = context;
  const names = [...knownProviders, ...providers.enabled];
  const external = Object.fromEntries(names.map((name) => [name, providers.enabled.includes(name)]));
  return c.json({
    external: { ...external, anonymous_users: config.ANONYMOUS, email: true, phone: config.PHONE },
    disable_signup: !config.SIGNUP,
    mailer_autoconfirm: config.AUTOCONFIRM,
    phone_autoconfirm: config.PHONE && config.AUTOCONFIRM,
    sms_provider: sms ? 'custom' : '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: config.PASSKEYS,
  });
});

export const getHealth = endpoint({ guard: 'anyone' }, async ({ c, context }) =>
  c.json({
    version: 'v2.0.0-lanternrock',
    name: context.config.PRODUCT_NAME,
    description: `Auth service of ${context.config.PRODUCT_NAME}`,
  }),
);

/**
 * OpenID Connect Discovery 1.0, for clients that know only the issuer. The OAuth endpoints have the names of Supabase
 * Auth and respond that the feature is disabled.
 */
export const getOpenIdConfiguration = endpoint({ guard: 'anyone' }, async ({ c, context }) => {
  const issuer = context.config.JWT_ISSUER;
  c.header('Cache-Control', 'public, max-age=600');
  return c.json({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    code_challenge_methods_supported: ['S256'],
  });
});

/** Public keys (RFC 7517); clients cache them for ten minutes. */
export const getJwks = endpoint({ guard: 'anyone' }, async ({ c, context }) => {
  c.header('Cache-Control', 'public, max-age=600');
  return c.json(context.keys.signing.published);
});
