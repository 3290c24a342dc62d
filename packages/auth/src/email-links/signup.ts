/** `POST /signup`. Off by default: users are invited. */
import type { Context } from 'hono';
import { AuthError, signUpDisabledError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv, ClientInfo } from '../client-info.ts';
import { toClientNetwork } from '../client-network.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { parseRequiredEmail, parseRequiredPhone } from '../users/contact-input.ts';
import { readPkceChallenge } from '../one-time-tokens/flow-state.ts';
import { createUser } from '../users/user-writes.ts';
import { validateNewPassword } from '../users/password-policy.ts';
import { signUpByEmail } from './sign-up-by-email.ts';
import { signUpByPhone } from '../phone/phone-otp.ts';
import { readRequestedRedirect } from '../one-time-tokens/redirect-urls.ts';
import type { RequestBody } from '../http/request-body.ts';
import { buildTokenResponse } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { toUserJson } from '../users/user-records.ts';

const requireSignUp = ({ context }: { readonly context: AuthContext }): AuthError | null =>
  context.config.SIGNUP ? null : signUpDisabledError();

export const signUp = endpoint(
  { guard: 'anyone', limit: 'signup', check: requireSignUp, body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config } = context;
    const email = body.getString('email');
    const phone = body.getString('phone');
    if (email === '' && phone === '') return signUpAnonymously(c, context, body, client);
    const password = body.getString('password');
    if (password === '') throw new AuthError(400, 'validation_failed', 'Signup requires a valid password');
    if (email !== '' && phone !== '') {
      const message = 'Only an email address or phone number should be provided on signup.';
      throw new AuthError(400, 'validation_failed', message);
    }
    validateNewPassword(password, config, email || null);
    if (phone !== '') {
      const passwordHash = await context.hasher.hash(password, toClientNetwork(client.ip));
      const input = { phone: parseRequiredPhone(phone), passwordHash, body, client };
      return c.json(await signUpByPhone(context, input));
    }
    const { user, activeSession } = await signUpByEmail(context, {
      email: parseRequiredEmail(email),
      passwordHash: await context.hasher.hash(password, toClientNetwork(client.ip)),
      data: body.getObject('data') ?? {},
      challenge: readPkceChallenge(body, config),
      redirect: readRequestedRedirect(c, context),
      client,
    });
    context.mailer.wake();
    return c.json(activeSession ? await buildTokenResponse(context, activeSession) : toUserJson(user));
  },
);

async function signUpAnonymously(
  c: Context<AuthEnv>,
  context: AuthContext,
  body: RequestBody,
  client: ClientInfo,
): Promise<Response> {
  if (!context.config.ANONYMOUS) {
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  }
  const activeSession = await context.database.transaction(async (tx) => {
    const userData = body.getObject('data') ?? {};
    const user = await createUser(tx, { anonymous: true, userData, now: await context.now(tx) });
    await writeAuditEntry(tx, {
      action: 'user_signedup',
      actor: user,
      client,
      traits: { provider: 'anonymous' },
    });
    return createSession(tx, context, { user, method: 'anonymous', client });
  });
  return c.json(await buildTokenResponse(context, activeSession));
}
