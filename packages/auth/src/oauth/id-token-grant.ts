/** `POST /token?grant_type=id_token`: signs in with the ID token of a native sign-in. */
import { createHash } from 'node:crypto';
import * as jose from 'jose';
import { AuthError } from '../auth-error.ts';
import { OAuthError } from '../http/error-response.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import {
  lockActiveSession,
  requireUser,
  type SignedInUser,
  type UserRequest,
} from '../endpoint/require-user.ts';
import { buildTokenResponse } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { requireFresh } from '../endpoint/step-up.ts';
import { resolveUser, linkIdentity } from './account-linking.ts';
import { requireLinking } from './authorize.ts';
import { toProfile, type Profile } from './profile.ts';
import type { OAuthProvider } from '../oauth-providers.ts';

const invalidRequest = (description: string): OAuthError => new OAuthError('invalid request', description);

export const idTokenGrant = endpoint(
  { guard: 'anyone', limit: 'token', body: 'required' },
  async ({ c, context, client, body }) => {
    const idToken = body.getString('id_token');
    if (idToken === '') throw invalidRequest('id_token required');
    const name = body.getString('provider');
    if (name === '' && (body.getString('client_id') === '' || body.getString('issuer') === '')) {
      throw invalidRequest('provider or client_id and issuer required');
    }
    const provider = findProvider(context, name, body.getString('issuer'));
    const linking = body.getBoolean('link_identity')
      ? await requireLinkingUser({ headers: c.req.raw.headers, client }, context)
      : null;
    const profile = await verify(provider, idToken, body.getString('nonce'));
    const activeSession = await context.database.transaction(async (tx) => {
      const signIn = { provider: provider.name, profile, client };
      if (linking) await lockActiveSession(tx, context, linking);
      const user = linking
        ? await linkIdentity(tx, context, linking.user.id, signIn)
        : await resolveUser(tx, context, signIn);
      await writeAuditEntry(tx, {
        action: 'login',
        actor: user,
        client,
        traits: { provider: provider.name },
      });
      return createSession(tx, context, { user, method: 'oauth', client });
    });
    context.mailer.wake();
    return c.json(await buildTokenResponse(context, activeSession));
  },
);

/** Returns a configured provider. Never sends a request to any other issuer. */
function findProvider({ providers }: AuthContext, name: string, issuer: string): OAuthProvider {
  const provider =
    name === ''
      ? providers.enabled
          .map((candidate) => providers.find(candidate))
          .find((candidate) => candidate?.settings.issuer === issuer)
      : providers.find(name);
  if (provider?.settings.issuer !== undefined) return provider;
  if (/^[a-z]+$/.test(name) || name === '') {
    throw new AuthError(
      400,
      'provider_disabled',
      `Provider (issuer "${(issuer || name).slice(0, 200)}") is not enabled`,
    );
  }
  throw new AuthError(400, 'validation_failed', `Custom OIDC provider "${name.slice(0, 50)}" not allowed`);
}

/** Returns the user who links an identity. Requires a fresh session, as linking by redirect does. */
async function requireLinkingUser(request: UserRequest, context: AuthContext): Promise<SignedInUser> {
  const disabledError = requireLinking({ context });
  if (disabledError) throw disabledError;
  const signedInUser = await requireUser(request, context).catch((error: unknown) => {
    if (!(error instanceof AuthError)) throw error;
    throw invalidRequest('Linking requires a valid user access token in Authorization');
  });
  await requireFresh(context, signedInUser, 'This change');
  return signedInUser;
}

const keySets = new WeakMap<OAuthProvider, jose.JWTVerifyGetKey>();

async function getKeySet(provider: OAuthProvider): Promise<jose.JWTVerifyGetKey> {
  const cached = keySets.get(provider);
  if (cached) return cached;
  const { jwks_uri } = (await provider.configuration()).serverMetadata();
  const keys = jose.createRemoteJWKSet(new URL(jwks_uri ?? ''), { timeoutDuration: 5000 });
  keySets.set(provider, keys);
  return keys;
}

async function verify(provider: OAuthProvider, idToken: string, nonce: string): Promise<Profile> {
  const { issuer = '', client_id, additional_client_ids = [], skip_nonce_check } = provider.settings;
  let claims: jose.JWTPayload;
  try {
    const options = {
      issuer,
      algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
      requiredClaims: ['exp', 'iat'],
    };
    claims = (await jose.jwtVerify(idToken, await getKeySet(provider), options)).payload;
  } catch {
    throw invalidRequest('Bad ID token');
  }
  const audiences = [claims.aud ?? []].flat();
  if (!audiences.some((candidate) => candidate === client_id || additional_client_ids.includes(candidate))) {
    throw invalidRequest(`Unacceptable audience in id_token: [${audiences.join(' ').slice(0, 200)}]`);
  }
  const tokenNonce = typeof claims['nonce'] === 'string' ? claims['nonce'] : '';
  if (!skip_nonce_check) {
    if ((tokenNonce === '') !== (nonce === '')) {
      throw invalidRequest('Passed nonce and nonce in id_token should either both exist or not.');
    }
    const hashed = createHash('sha256').update(nonce).digest('hex');
    if (tokenNonce !== '' && tokenNonce !== hashed) throw new OAuthError('invalid nonce', 'Nonces mismatch');
  }
  const profile = toProfile(claims, provider);
  if (!profile) throw invalidRequest('Missing sub claim in id_token');
  return profile;
}
