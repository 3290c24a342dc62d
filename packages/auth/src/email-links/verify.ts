/** `POST /verify`: creates a session from the token of a link or from a code. */
import { normalizeCode } from '@lanternrock/contract/typed-code';
import { expiredLinkMessage } from '@lanternrock/contract/link-errors';
import { AuthError, invalidCodeError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint, type Call } from '../endpoint/endpoint.ts';
import { firstConfirmationMessage } from './email-change.ts';
import { tryParseEmail, parseRequiredPhone } from '../users/contact-input.ts';
import { findTokenByCode, clearCode } from '../one-time-tokens/one-time-tokens.ts';
import { redeemPhoneCode } from '../phone/redeem-phone-code.ts';
import {
  isEmailLinkType,
  isExpiredEmailLink,
  redeemToken,
  redeemLink,
  tokenTypesFor,
  type EmailLinkType,
} from './redeem-link.ts';
import type { RequestBody } from '../http/request-body.ts';
import { buildTokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';

const invalid = (message: string, status: 400 | 422 = 400): AuthError =>
  new AuthError(status, 'validation_failed', message);

const expiredLinkError = (): AuthError => new AuthError(403, 'otp_expired', expiredLinkMessage);

type VerifyCall = Call<'anyone'> & { readonly body: RequestBody };

type Outcome = ActiveSession | 'first_confirmation' | AuthError;

/** A link cannot be guessed and a code can. Links have a higher limit, because many users can share an IP address. */
const selectLimit = (body: RequestBody): 'token' | 'verify' =>
  body.getString('token_hash') === '' ? 'verify' : 'token';

export const verifyOtp = endpoint({ guard: 'anyone', limit: selectLimit, body: 'required' }, async (call) => {
  const { c, context, body } = call;
  const type = body.getString('type');
  if (type === '') throw invalid('Verify requires a verification type');
  const tokenHash = body.getString('token_hash');
  const code = body.getString('token');
  if ((tokenHash === '') === (code === '')) throw invalid('Verify requires either a token or a token hash');
  const outcome =
    tokenHash !== '' ? await verifyLink(call, type, tokenHash) : await verifyCode(call, type, code);
  if (outcome instanceof AuthError) throw outcome;
  // A changed email address or phone number has enqueued a security notice.
  context.mailer.wake();
  // In Supabase Auth too, `code` is a string here.
  if (outcome === 'first_confirmation') return c.json({ msg: firstConfirmationMessage, code: '200' });
  return c.json(await buildTokenResponse(context, outcome));
});

async function verifyLink(
  { context, client, body }: VerifyCall,
  type: string,
  token: string,
): Promise<Outcome> {
  if (
    body.getString('email') !== '' ||
    body.getString('phone') !== '' ||
    body.getString('redirect_to') !== ''
  ) {
    throw invalid('Only the token_hash and type should be provided');
  }
  if (!isEmailLinkType(type)) throw invalid('Unsupported verification type');
  return context.database.transaction(async (tx) => {
    const link = { type, token: token.replace(/^pkce_/, ''), client };
    const redeemed = await redeemLink(tx, context, link);
    if (redeemed instanceof AuthError)
      return (await isExpiredEmailLink(tx, context, link)) ? expiredLinkError() : redeemed;
    if (redeemed === 'first_confirmation') return redeemed;
    return createSession(tx, context, {
      user: redeemed.user,
      method: 'otp',
      client,
      fromLink: redeemed.fromLink,
    });
  });
}

async function verifyCode(
  { context, client, body }: VerifyCall,
  type: string,
  typedCode: string,
): Promise<Outcome> {
  const code = normalizeCode(typedCode);
  const [emailInput, phoneInput] = [body.getString('email'), body.getString('phone')];
  if ((emailInput === '') === (phoneInput === '')) {
    throw invalid('Only an email address or phone number should be provided on verify');
  }
  if (phoneInput !== '') {
    const phone = parseRequiredPhone(phoneInput);
    if (type !== 'sms' && type !== 'phone_change') throw invalid('Unsupported verification type');
    return withAttemptLimit(context, phone, client, () =>
      redeemPhoneCode(context, { phone, type, code, client }),
    );
  }
  const email = tryParseEmail(emailInput);
  if (email === null) throw invalid('Invalid email format', 422);
  if (!isEmailLinkType(type)) throw invalid('Unsupported verification type');
  return withAttemptLimit(context, email, client, () =>
    redeemEmailCode(context, { email, type, code, client }),
  );
}

/** Counts wrong codes like wrong passwords of the same user. */
function withAttemptLimit(
  { limits }: AuthContext,
  identifier: string,
  client: ClientInfo,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  return limits.limitAttempts({ identifier, client }, work, (outcome) => !(outcome instanceof AuthError));
}

interface EmailCode {
  readonly email: string;
  readonly type: EmailLinkType;
  readonly code: string;
  readonly client: ClientInfo;
}

function redeemEmailCode(context: AuthContext, { email, type, code, client }: EmailCode): Promise<Outcome> {
  return context.database.transaction(async (tx) => {
    const record = await findTokenByCode(tx, context, { types: tokenTypesFor(type), relatesTo: email, code });
    if (!record) return invalidCodeError();
    const redeemed = await redeemToken(tx, context, record, client);
    if (redeemed instanceof AuthError) return redeemed.code === 'otp_expired' ? invalidCodeError() : redeemed;
    if (redeemed === 'first_confirmation') return redeemed;
    // Email scanners open links, so the link of a recovery stays valid. A code is entered by the user, once.
    await clearCode(tx, record.id);
    return createSession(tx, context, {
      user: redeemed.user,
      method: 'otp',
      client,
      fromLink: redeemed.fromLink,
    });
  });
}
