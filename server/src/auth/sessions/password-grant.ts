/** `POST /token?grant_type=password` (auth contract 4.1). */
import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import { callerOf, type AuthContext } from '../auth-context.ts';
import { asEmail, asPhone } from '../users/email-input.ts';
import { networkOf } from '../limits.ts';
import { refuseLongPassword, weaknessOf } from '../users/password-rules.ts';
import { readBody } from '../request-body.ts';
import { openSession, tokenResponse } from './sessions.ts';
import { isBanned, type UserRecord } from '../users/user-records.ts';

/** One sentence for every way of not getting in, so that it tells nothing about who exists. */
const wrongCredentials = (): Refusal => new Refusal(400, 'invalid_credentials', 'Invalid login credentials');

export async function passwordGrant(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { config, database, hasher, limits, captcha } = context;
  const caller = callerOf(c);
  await limits.count('token', caller.address);
  const body = await readBody(c);
  await captcha.check(body, caller.address);
  const [typedEmail, typedPhone, password] = [body.text('email'), body.text('phone'), body.text('password')];
  if (typedEmail !== '' && typedPhone !== '') {
    throw new Refusal(
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on login.',
    );
  }
  if (typedEmail === '' && typedPhone === '')
    throw new Refusal(400, 'validation_failed', 'missing email or phone');
  if (typedPhone !== '' && !config.PHONE)
    throw new Refusal(422, 'phone_provider_disabled', 'Phone logins are disabled');
  refuseLongPassword(password);

  const account = typedEmail === '' ? asPhone(typedPhone) : asEmail(typedEmail);
  const { user, ok, needsRehash } = await limits.attempt(
    account ?? `${typedEmail}${typedPhone}`.slice(0, 300),
    caller.address,
    async () => {
      const found = await findUser(context, account, typedEmail !== '');
      // Somebody who does not exist costs the same work.
      const hash = found?.encrypted_password || null;
      const verdict = await hasher.verify(password, hash, networkOf(caller.address));
      return { user: found, ...verdict };
    },
    (outcome) => outcome.ok,
  );
  if (!ok || !user) {
    await database.transaction((tx) =>
      writeAudit(tx, { action: 'login_failed', actor: user, caller, traits: { account: account ?? '' } }),
    );
    throw wrongCredentials();
  }
  if (isBanned(user, context.now())) throw new Refusal(400, 'user_banned', 'User is banned');
  if (typedEmail !== '' && !user.email_confirmed_at)
    throw new Refusal(400, 'email_not_confirmed', 'Email not confirmed');
  if (typedPhone !== '' && !user.phone_confirmed_at)
    throw new Refusal(400, 'phone_not_confirmed', 'Phone not confirmed');

  const renewed = needsRehash ? await hasher.hash(password) : null;
  const opened = await database.transaction(async (tx) => {
    // Locks out a password change that happens between the check and the session.
    const [same] =
      await tx.query(sql`update auth.users set encrypted_password = coalesce(${renewed}, encrypted_password)
      where id = ${user.id} and encrypted_password = ${user.encrypted_password}
        and (banned_until is null or banned_until <= ${context.now()}) returning id`);
    if (!same) throw wrongCredentials();
    await writeAudit(tx, {
      action: 'login',
      actor: user,
      caller,
      traits: { provider: typedEmail ? 'email' : 'phone' },
    });
    return openSession(tx, context, { user, method: 'password', caller });
  });
  const weak = weaknessOf(password, config, user.email);
  return c.json(await tokenResponse(context, opened, weak ? { weak_password: weak } : {}));
}

type Candidate = Pick<
  UserRecord,
  'id' | 'email' | 'encrypted_password' | 'email_confirmed_at' | 'phone_confirmed_at' | 'banned_until'
>;

/**
 * Only what the decision needs: reading a whole person, with identities and factors, would take longer
 * than finding nobody.
 */
async function findUser(
  { database }: AuthContext,
  account: string | null,
  byEmail: boolean,
): Promise<Candidate | null> {
  const [email, phone] = byEmail ? [account ?? '', null] : [null, account ?? ''];
  const [row] = await database.query<Candidate>(sql`select id, email, encrypted_password, email_confirmed_at,
      phone_confirmed_at, banned_until from auth.users
    where (email = ${email} or phone = ${phone}) and deleted_at is null`);
  return row ?? null;
}
