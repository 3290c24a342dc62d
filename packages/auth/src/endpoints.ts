/** Every endpoint of the Auth API, in one table. */
import type { Context, Hono } from 'hono';
import { AuthError } from './auth-error.ts';
import { listAuditEntries } from './admin/audit-log.ts';
import {
  deleteFactor,
  deleteUserPasskey,
  listFactors,
  listUserPasskeys,
  putFactor,
} from './admin/factors.ts';
import { generateLink, inviteUser } from './admin/links.ts';
import { deleteUser, getUserById, listUsers, postUser, putUser } from './admin/users.ts';
import {
  customProvidersDisabled,
  oauthServerDisabled,
  scimDisabled,
  ssoDisabled,
  web3Disabled,
} from './disabled-endpoints.ts';
import { challengeFactor } from './factor-endpoints/challenge.ts';
import { enrollFactor, unenrollFactor } from './factor-endpoints/enroll.ts';
import {
  createRecoveryCodes,
  deleteRecoveryCodes,
  regenerateRecoveryCodes,
  getRecoveryCodes,
  verifyRecoveryCode,
} from './factor-endpoints/recovery-codes.ts';
import { verifyFactor } from './factor-endpoints/verify-factor.ts';
import { pkceGrant } from './grants/pkce-grant.ts';
import { logout } from './current-user/logout.ts';
import { authorize, authorizeIdentityLink, continueFlow } from './oauth/authorize.ts';
import { oauthCallback, callbackForm } from './oauth/callback.ts';
import { confirmLinking } from './oauth/confirm-linking.ts';
import { idTokenGrant } from './oauth/id-token-grant.ts';
import { unlinkIdentity } from './oauth/unlink-identity.ts';
import { sendOtp } from './email-links/otp.ts';
import { authenticationOptions, verifyAuthentication } from './passkeys/authentication.ts';
import {
  deletePasskey,
  listPasskeys,
  registrationOptions,
  verifyRegistration,
  renamePasskey,
} from './passkeys/registration.ts';
import { passwordGrant } from './grants/password-grant.ts';
import { requestRecoveryEmail } from './email-links/recovery.ts';
import { getSignInMethods } from './current-user/list-sign-in-methods.ts';
import { reauthenticate } from './current-user/reauthenticate.ts';
import { refreshGrant } from './grants/refresh-grant.ts';
import { resendToken, sendReauthenticationCode } from './email-links/resend.ts';
import { revokeSession, listSessions } from './current-user/session-endpoints.ts';
import { getHealth, getJwks, getOpenIdConfiguration, getSettings } from './settings-endpoint.ts';
import { signUp } from './email-links/signup.ts';
import { getCurrentUser, updateCurrentUser } from './current-user/user-endpoint.ts';
import { postVerifyForm, getVerifyPage } from './email-links/verify-page.ts';
import { verifyOtp } from './email-links/verify.ts';
import type { AuthContext } from './auth-context.ts';
import type { AuthEnv } from './client-info.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { isForm } from './http/request-body.ts';

type Route = readonly [method: string, path: string, endpoint: Endpoint];

/** If endpoints share method and path, the query in the path selects one, or the media type of the body. */
export const endpoints: readonly Route[] = [
  ['POST', '/token?grant_type=password', passwordGrant],
  ['POST', '/token?grant_type=refresh_token', refreshGrant],
  ['POST', '/token?grant_type=pkce', pkceGrant],
  ['POST', '/token?grant_type=id_token', idTokenGrant],
  ['POST', '/token?grant_type=web3', web3Disabled],
  ['GET', '/user', getCurrentUser],
  ['PUT', '/user', updateCurrentUser],
  ['POST', '/logout', logout],
  ['POST', '/recover', requestRecoveryEmail],
  ['GET', '/verify', getVerifyPage],
  ['POST', '/verify', verifyOtp],
  ['POST', '/verify', postVerifyForm],
  ['POST', '/signup', signUp],
  ['POST', '/otp', sendOtp],
  ['POST', '/magiclink', sendOtp],
  ['POST', '/resend', resendToken],
  ['GET', '/reauthenticate', sendReauthenticationCode],
  ['POST', '/reauthenticate', reauthenticate],

  ['GET', '/authorize', authorize],
  ['GET', '/authorize/continue', continueFlow],
  ['GET', '/callback', oauthCallback],
  ['POST', '/callback', callbackForm],
  ['POST', '/callback/confirm', confirmLinking],
  ['GET', '/user/identities/authorize', authorizeIdentityLink],
  ['DELETE', '/user/identities/:id', unlinkIdentity],
  ['GET', '/user/sign-in-methods', getSignInMethods],
  ['GET', '/user/sessions', listSessions],
  ['DELETE', '/user/sessions/:id', revokeSession],

  // Before the paths with the ID of a factor.
  ['GET', '/factors/recovery-codes', getRecoveryCodes],
  ['POST', '/factors/recovery-codes', createRecoveryCodes],
  ['POST', '/factors/recovery-codes/verify', verifyRecoveryCode],
  ['POST', '/factors/recovery-codes/regenerate', regenerateRecoveryCodes],
  ['DELETE', '/factors/recovery-codes', deleteRecoveryCodes],
  ['POST', '/factors', enrollFactor],
  ['POST', '/factors/:id/challenge', challengeFactor],
  ['POST', '/factors/:id/verify', verifyFactor],
  ['DELETE', '/factors/:id', unenrollFactor],

  ['POST', '/passkeys/registration/options', registrationOptions],
  ['POST', '/passkeys/registration/verify', verifyRegistration],
  ['POST', '/passkeys/authentication/options', authenticationOptions],
  ['POST', '/passkeys/authentication/verify', verifyAuthentication],
  ['GET', '/passkeys', listPasskeys],
  ['PATCH', '/passkeys/:id', renamePasskey],
  ['DELETE', '/passkeys/:id', deletePasskey],

  ['POST', '/invite', inviteUser],
  ['POST', '/admin/generate_link', generateLink],
  ['GET', '/admin/users', listUsers],
  ['POST', '/admin/users', postUser],
  ['GET', '/admin/users/:id', getUserById],
  ['PUT', '/admin/users/:id', putUser],
  ['DELETE', '/admin/users/:id', deleteUser],
  ['GET', '/admin/users/:id/factors', listFactors],
  ['PUT', '/admin/users/:id/factors/:factorId', putFactor],
  ['DELETE', '/admin/users/:id/factors/:factorId', deleteFactor],
  ['GET', '/admin/users/:id/passkeys', listUserPasskeys],
  ['DELETE', '/admin/users/:id/passkeys/:passkeyId', deleteUserPasskey],
  ['GET', '/admin/audit', listAuditEntries],

  ['POST', '/sso', ssoDisabled],
  ['ALL', '/admin/oauth/*', oauthServerDisabled],
  ['ALL', '/oauth/*', oauthServerDisabled],
  ['ALL', '/user/oauth/*', oauthServerDisabled],
  ['ALL', '/admin/custom-providers', customProvidersDisabled],
  ['ALL', '/admin/custom-providers/*', customProvidersDisabled],
  ['ALL', '/scim/v2/*', scimDisabled],

  ['GET', '/settings', getSettings],
  ['GET', '/health', getHealth],
  ['GET', '/.well-known/jwks.json', getJwks],
  ['GET', '/.well-known/openid-configuration', getOpenIdConfiguration],
];

const withoutQuery = (path: string): string => path.split('?')[0] ?? path;

/** Adds the routes of the table, and JSON errors for every other request. */
export function addRoutes(routes: Hono<AuthEnv>, context: AuthContext): void {
  const paths = new Set(endpoints.map(([method, path]) => `${method} ${withoutQuery(path)}`));
  for (const route of paths) {
    const group = endpoints.filter(([method, path]) => `${method} ${withoutQuery(path)}` === route);
    const [method = '', path = ''] = route.split(' ');
    routes.on(method, path, (c) => selectEndpoint(c, group).handle(c, context));
  }
  routes.all('*', (c) => {
    throw unknownRoute(c);
  });
}

/**
 * Returns the endpoint of the group that the query or the media type of the request selects.
 *
 * @throws AuthError 400 `invalid_credentials` with the message `unsupported_grant_type` if no query in the table matches
 */
function selectEndpoint(c: Context<AuthEnv>, group: readonly Route[]): Endpoint {
  const matching = group.filter(([, path]) => {
    const [[name, value] = []] = [...new URLSearchParams(path.split('?')[1] ?? '')];
    const values = name === undefined ? [] : (c.req.queries(name) ?? []);
    return name === undefined || (values.length === 1 && values[0] === value);
  });
  const [first] = matching;
  if (!first) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
  const sameMediaType = matching.find(([, , { spec }]) => (spec.body === 'form') === isForm(c));
  return (sameMediaType ?? first)[2];
}

/** Returns 405 if the path exists with another method, otherwise 404. */
function unknownRoute(c: Context<AuthEnv>): AuthError {
  const path = c.req.path.replace(/^.*?\/auth\/v1(?=\/)/, '');
  const allowed = [
    ...new Set(
      endpoints.flatMap(([method, pattern]) => (matches(withoutQuery(pattern), path) ? [method] : [])),
    ),
  ];
  if (allowed.length === 0) return new AuthError(404, 'not_found', 'Not found');
  const headers = { Allow: allowed.join(', ') };
  return new AuthError(405, 'method_not_allowed', `Allowed methods: ${allowed.join(', ')}`, { headers });
}

const matches = (pattern: string, path: string): boolean => {
  const [expected, values] = [pattern.split('/'), path.split('/')];
  return (
    expected.length === values.length &&
    expected.every((part, index) => part.startsWith(':') || part === values[index])
  );
};
