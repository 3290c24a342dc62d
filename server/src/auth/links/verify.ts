/** `POST /verify` (auth contract 4.9.2): a link's token or a code becomes a session. */
import { expiredLinkMessage } from '@lanternrock/contract/links';
import { Refusal } from '../../errors.ts';
import type { AuthContext, Caller } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { progressAnswer, type ChangeProgress } from './email-change.ts';
import { asEmail, requirePhone } from '../users/email-input.ts';
import { findByCode, forgetCode, type TokenType } from '../one-time/one-time-tokens.ts';
import { redeemPhoneCode } from '../phone/phone-codes.ts';
import { isMailType, isPastItsTime, redeem, redeemLink, tokenTypesOf } from './redeem-link.ts';
import type { RequestBody } from '../request-body.ts';
import { openSession, tokenResponse, type OpenSession } from '../sessions/sessions.ts';

const invalid = (message: string, status: 400 | 422 = 400): Refusal =>
  new Refusal(status, 'validation_failed', message);
const codeRefusal = (): Refusal => new Refusal(403, 'otp_expired', 'Token has expired or is invalid');

const pastItsTime = (): Refusal => new Refusal(403, 'otp_expired', expiredLinkMessage);

type Outcome = OpenSession | ChangeProgress | Refusal;

/** A link cannot be guessed; a code can, and many users behind one IP address open links in the same minute. */
const limitOf = (body: RequestBody): 'token' | 'verify' =>
  body.text('token_hash') === '' ? 'verify' : 'token';

export const verify = endpoint(
  { guard: 'anyone', limit: limitOf, body: 'required' },
  async ({ c, context, caller, body }) => {
    const type = body.text('type');
    if (type === '') throw invalid('Verify requires a verification type');
    const tokenHash = body.text('token_hash');
    const code = body.text('token');
    if ((tokenHash === '') === (code === '')) throw invalid('Verify requires either a token or a token hash');
    const outcome =
      tokenHash !== ''
        ? await verifyLink(context, body, type, tokenHash, caller)
        : await verifyCode(context, body, type, code, caller);
    if (outcome instanceof Refusal) throw outcome;
    // The owner gets a notice of a changed address or number.
    context.outbox.wake();
    if ('waiting' in outcome) return c.json(progressAnswer);
    return c.json(await tokenResponse(context, outcome));
  },
);

async function verifyLink(
  context: AuthContext,
  body: RequestBody,
  type: string,
  token: string,
  caller: Caller,
): Promise<Outcome> {
  if (body.text('email') !== '' || body.text('phone') !== '' || body.text('redirect_to') !== '') {
    throw invalid('Only the token_hash and type should be provided');
  }
  if (!isMailType(type)) throw invalid('Unsupported verification type');
  return context.database.transaction(async (tx) => {
    const link = { type, token: token.replace(/^pkce_/, ''), caller };
    const redeemed = await redeemLink(tx, context, link);
    if (redeemed instanceof Refusal)
      return (await isPastItsTime(tx, context, link)) ? pastItsTime() : redeemed;
    if ('waiting' in redeemed) return redeemed;
    return openSession(tx, context, { user: redeemed.user, method: 'otp', caller, tag: redeemed.tag });
  });
}

async function verifyCode(
  context: AuthContext,
  body: RequestBody,
  type: string,
  code: string,
  caller: Caller,
): Promise<Outcome> {
  const [typedEmail, typedPhone] = [body.text('email'), body.text('phone')];
  if ((typedEmail === '') === (typedPhone === '')) {
    throw invalid('Only an email address or phone number should be provided on verify');
  }
  if (typedPhone !== '') {
    const phone = requirePhone(typedPhone);
    if (type !== 'sms' && type !== 'phone_change') throw invalid('Unsupported verification type');
    return guarded(context, phone, caller, () => redeemPhoneCode(context, { phone, type, code, caller }));
  }
  const email = asEmail(typedEmail);
  if (email === null) throw invalid('Invalid email format', 422);
  if (!isMailType(type)) throw invalid('Unsupported verification type');
  return guarded(context, email, caller, () =>
    redeemMailCode(context, tokenTypesOf(type), email, code, caller),
  );
}

/** Wrong codes count like wrong passwords of the same account. */
function guarded(
  { limits }: AuthContext,
  account: string,
  { address }: Caller,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  return limits.attempt({ account, address }, work, (outcome) => !(outcome instanceof Refusal));
}

function redeemMailCode(
  context: AuthContext,
  types: readonly TokenType[],
  email: string,
  code: string,
  caller: Caller,
): Promise<Outcome> {
  return context.database.transaction(async (tx) => {
    const record = await findByCode(tx, context, types, email, code);
    if (!record) return codeRefusal();
    const redeemed = await redeem(tx, context, record, caller);
    if (redeemed instanceof Refusal) return redeemed.code === 'otp_expired' ? codeRefusal() : redeemed;
    if ('waiting' in redeemed) return redeemed;
    // Scanners open links, so the link of a reset mail stays good; a code is typed by a person, once.
    await forgetCode(tx, record.id);
    return openSession(tx, context, { user: redeemed.user, method: 'otp', caller, tag: redeemed.tag });
  });
}
