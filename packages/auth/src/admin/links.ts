/** Creates email links with the secret key: `POST /invite` sends one, `POST /admin/generate_link` returns one. */
import type { Context } from 'hono';
import type { Transaction } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { OneTimeToken } from '../ports.ts';
import type { AuthEnv, ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { emailExistsError } from '../users/unique-violations.ts';
import { parseRequiredEmail } from '../users/contact-input.ts';
import { enqueueTokenEmail, storeEmailToken } from '../one-time-tokens/token-email.ts';
import { storeEmailChange } from '../users/contact-writes.ts';
import { createUser, recordInvitation } from '../users/user-writes.ts';
import {
  deleteMagicLinks,
  createOneTimeToken,
  storeOneTimeToken,
} from '../one-time-tokens/one-time-tokens.ts';
import { validateNewPassword } from '../users/password-policy.ts';
import { parseAllowedRedirect } from '../one-time-tokens/redirect-urls.ts';
import type { RequestBody } from '../http/request-body.ts';
import { findUserByEmail, findUserById, toUserJson, type UserRecord } from '../users/user-records.ts';

/** Returns the requested redirect URL, or null for the default. Logs a URL that is not allowed. */
function readRedirect(c: Context<AuthEnv>, context: AuthContext, body: RequestBody): URL | null {
  const requested = c.req.query('redirect_to') || body.getString('redirect_to') || undefined;
  const redirect = parseAllowedRedirect(requested, context.config);
  if (requested !== undefined && !redirect) {
    context.log.warn({ redirectTo: requested.slice(0, 200) }, 'redirect URL not allowed, default used');
  }
  return redirect;
}

export const inviteUser = endpoint(
  { guard: 'service', body: 'required' },
  async ({ c, context, client, body }) => {
    const email = parseRequiredEmail(body.getString('email'));
    const redirect = readRedirect(c, context, body);
    const user = await context.database.transaction(async (tx) => {
      const invited = await prepareInvitedUser(tx, context, {
        email,
        userData: body.getObject('data') ?? {},
        client,
      });
      await enqueueTokenEmail(tx, context, { type: 'invite', userId: invited.id, email, redirect });
      return (await findUserById(tx, invited.id)) ?? invited;
    });
    context.mailer.wake();
    return c.json(toUserJson(user));
  },
);

interface Invitation {
  readonly email: string;
  /** Metadata of a new user; an existing user keeps theirs. */
  readonly userData: Record<string, unknown>;
  readonly client: ClientInfo;
}

/**
 * Creates or updates the invited user.
 *
 * @throws AuthError 422 `email_exists` if the email address is confirmed
 */
async function prepareInvitedUser(
  tx: Transaction,
  context: AuthContext,
  { email, userData, client }: Invitation,
): Promise<UserRecord> {
  const existing = await findUserByEmail(tx, email);
  if (existing?.email_confirmed_at) throw emailExistsError();
  const now = await context.now(tx);
  const user =
    existing ?? (await createUser(tx, { email, userData, appData: { setup_required: true }, now }));
  await recordInvitation(tx, user.id, now);
  await writeAuditEntry(tx, { action: 'user_invited', actor: null, client, traits: { user_id: user.id } });
  return user;
}

interface GeneratedLink {
  readonly user: UserRecord;
  readonly oneTimeToken: OneTimeToken;
  /** Parameter `type` of the link. */
  readonly type: string;
}

const linkTypes = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const;
type LinkType = (typeof linkTypes)[number];

export const generateLink = endpoint(
  { guard: 'service', body: 'required' },
  async ({ c, context, client, body }) => {
    const type = linkTypes.find((linkType) => linkType === body.getString('type'));
    if (!type) {
      const requested = body.getString('type').slice(0, 50);
      throw new AuthError(400, 'validation_failed', `Invalid email action link type requested: ${requested}`);
    }
    const email = parseRequiredEmail(body.getString('email'));
    const redirect = readRedirect(c, context, body) ?? new URL(context.config.SITE_URL);
    const password = body.getString('password');
    if (type === 'signup') {
      if (password === '') throw new AuthError(400, 'validation_failed', 'Signup requires a valid password');
      validateNewPassword(password, context.config, email);
    }
    const passwordHash = type === 'signup' ? await context.hasher.hash(password, '') : null;
    const link = await context.database.transaction((tx) =>
      createLink(tx, context, { type, email, body, passwordHash, client }),
    );
    const url = new URL('/auth/v1/verify', context.config.SITE_URL);
    url.search = new URLSearchParams({
      token: link.oneTimeToken.token,
      type: link.type,
      redirect_to: redirect.href,
    }).toString();
    return c.json({
      ...toUserJson((await findUserById(context.database, link.user.id)) ?? link.user),
      action_link: url.href,
      email_otp: link.oneTimeToken.code,
      hashed_token: link.oneTimeToken.token,
      verification_type: link.type === 'email_change' ? type : link.type,
      redirect_to: redirect.href,
    });
  },
);

interface LinkRequest {
  readonly type: LinkType;
  readonly email: string;
  readonly body: RequestBody;
  readonly passwordHash: string | null;
  readonly client: ClientInfo;
}

async function createLink(
  tx: Transaction,
  context: AuthContext,
  request: LinkRequest,
): Promise<GeneratedLink> {
  const { type, email, body, passwordHash, client } = request;
  const userData = body.getObject('data') ?? {};
  const existing = await findUserByEmail(tx, email);
  const store = async (
    user: UserRecord,
    linkType: 'signup' | 'invite' | 'magiclink' | 'recovery',
  ): Promise<GeneratedLink> => ({
    user,
    oneTimeToken: await storeEmailToken(tx, context, { type: linkType, userId: user.id, email }),
    type: linkType,
  });
  switch (type) {
    case 'invite':
      return store(await prepareInvitedUser(tx, context, { email, userData, client }), 'invite');
    case 'signup': {
      if (existing?.email_confirmed_at) throw emailExistsError();
      const user =
        existing ?? (await createUser(tx, { email, passwordHash, userData, now: await context.now(tx) }));
      await writeAuditEntry(tx, { action: 'user_confirmation_requested', actor: user, client });
      return store(user, 'signup');
    }
    case 'magiclink': {
      if (existing) {
        // Many links of a server must not use up the links that the user can request.
        await deleteMagicLinks(tx, existing.id);
        return store(existing, 'magiclink');
      }
      return store(await createUser(tx, { email, userData, now: await context.now(tx) }), 'signup');
    }
    case 'recovery':
      if (!existing) throw new AuthError(404, 'user_not_found', 'User with this email not found');
      await writeAuditEntry(tx, { action: 'user_recovery_requested', actor: existing, client });
      return store(existing, 'recovery');
    default:
      if (!existing) throw new AuthError(404, 'user_not_found', 'User with this email not found');
      return emailChangeLink(tx, context, existing, type, parseRequiredEmail(body.getString('new_email')));
  }
}

async function emailChangeLink(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  type: 'email_change_current' | 'email_change_new',
  newEmail: string,
): Promise<GeneratedLink> {
  const existing = await findUserByEmail(tx, newEmail);
  if (existing) throw emailExistsError();
  const now = await context.now(tx);
  const oneTimeToken = createOneTimeToken(now, context.config.OTP_TTL);
  const relatesTo = type === 'email_change_new' ? newEmail : (user.email ?? '');
  // A second link for the same change keeps the confirmation of the first.
  await storeEmailChange(tx, {
    userId: user.id,
    email: newEmail,
    now,
    keepConfirmation: true,
  });
  await storeOneTimeToken(tx, context, { userId: user.id, type, oneTimeToken, relatesTo });
  return { user, oneTimeToken, type: 'email_change' };
}
