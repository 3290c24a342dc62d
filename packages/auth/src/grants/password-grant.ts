/** `POST /token?grant_type=password`: signs in, with the same work for known and unknown users. */
import { sql } from '@lanternrock/postgres';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { tryParseEmail, tryParsePhone } from '../users/contact-input.ts';
import { toClientNetwork } from '../client-network.ts';
import { rejectLongLogin, findWeakness } from '../users/password-policy.ts';
import type { RequestBody } from '../http/request-body.ts';
import { readDevice, setDevice } from '../sessions/device-token.ts';
import { buildTokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { isBanned, type UserRecord } from '../users/user-records.ts';
import { rehashPassword, type DeviceOwner } from '../users/user-writes.ts';

/** The same error for every reason, so that the response does not reveal existing users. */
const invalidCredentialsError = (): AuthError =>
  new AuthError(400, 'invalid_credentials', 'Invalid login credentials');

export const passwordGrant = endpoint(
  { guard: 'anyone', limit: 'token', body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config, hasher } = context;
    const login = readLogin(body, config);
    const identifier = login.identifier ?? login.input.slice(0, 300);
    const device = await readDevice(c, context, identifier);
    const { user, needsRehash } = await checkPassword(context, login, client, device);
    requireSignInAllowed(user, login, await context.now(context.database));
    const newHash = needsRehash ? await hasher.hash(login.password, toClientNetwork(client.ip)) : null;
    const { activeSession, owner } = await signIn(context, { user, login, newHash, client });
    setDevice(c, context, { proof: { kind: 'device', key: identifier }, owner, device });
    const weakness = findWeakness(login.password, config, user.email);
    return c.json(
      await buildTokenResponse(context, activeSession, weakness ? { weak_password: weakness } : {}),
    );
  },
);

interface Login {
  readonly by: 'email' | 'phone';
  readonly input: string;
  /** Normalized; null for an invalid email address or phone number. */
  readonly identifier: string | null;
  readonly password: string;
}

/** @throws AuthError 400; 422 while phone sign-in is disabled */
function readLogin(body: RequestBody, config: AuthSettings): Login {
  const [email, phone, password] = [
    body.getString('email'),
    body.getString('phone'),
    body.getString('password'),
  ];
  if (email !== '' && phone !== '') {
    const message = 'Only an email address or phone number should be provided on login.';
    throw new AuthError(400, 'validation_failed', message);
  }
  if (email === '' && phone === '') throw new AuthError(400, 'validation_failed', 'missing email or phone');
  if (phone !== '' && !config.PHONE)
    throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
  rejectLongLogin(password);
  return email === ''
    ? { by: 'phone', input: phone, identifier: tryParsePhone(phone), password }
    : { by: 'email', input: email, identifier: tryParseEmail(email), password };
}

/** @throws AuthError 400 `invalid_credentials`, 429 after too many failed attempts */
async function checkPassword(
  context: AuthContext,
  login: Login,
  client: ClientInfo,
  device: string | null,
): Promise<{ readonly user: PasswordUser; readonly needsRehash: boolean }> {
  const { database, hasher, limits } = context;
  const { identifier, input, password } = login;
  const { user, ok, needsRehash } = await limits.limitAttempts(
    {
      identifier: identifier ?? input.slice(0, 300),
      client,
      owner: device === null ? null : { kind: 'device', id: device },
    },
    async () => {
      const found = await findUser(context, login);
      // An unknown identifier costs the same work.
      const hash = found?.encrypted_password || null;
      const result = await hasher.verify(password, hash, toClientNetwork(client.ip));
      return { user: found, ...result };
    },
    (outcome) => outcome.ok,
  );
  if (ok && user) return { user, needsRehash };
  await database.transaction((tx) =>
    writeAuditEntry(tx, {
      action: 'login_failed',
      actor: user,
      client,
      traits: { account: identifier ?? '' },
    }),
  );
  throw invalidCredentialsError();
}

/** Call it after the password was verified, because the errors reveal the state of the user. */
function requireSignInAllowed(user: PasswordUser, { by }: Login, now: Date): void {
  if (isBanned(user, now)) throw new AuthError(400, 'user_banned', 'User is banned');
  if (by === 'email' && !user.email_confirmed_at)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  if (by === 'phone' && !user.phone_confirmed_at)
    throw new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed');
}

interface SignIn {
  readonly user: PasswordUser;
  readonly login: Login;
  /** New hash of the same password if the stored one has an outdated type, otherwise null. */
  readonly newHash: string | null;
  readonly client: ClientInfo;
}

function signIn(
  context: AuthContext,
  { user, login, newHash, client }: SignIn,
): Promise<{ readonly activeSession: ActiveSession; readonly owner: DeviceOwner }> {
  return context.database.transaction(async (tx) => {
    // Fails if the password was changed after the check.
    const owner = await rehashPassword(tx, user, newHash, await context.now(tx));
    if (!owner) throw invalidCredentialsError();
    await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: login.by } });
    const activeSession = await createSession(tx, context, { user, method: 'password', client });
    return { activeSession, owner };
  });
}

type PasswordUser = Pick<
  UserRecord,
  'id' | 'email' | 'encrypted_password' | 'email_confirmed_at' | 'phone_confirmed_at' | 'banned_until'
>;

/** Reads only the required columns: reading identities and factors would take longer than finding no user. */
async function findUser({ database }: AuthContext, { by, identifier }: Login): Promise<PasswordUser | null> {
  const [email, phone] = by === 'email' ? [identifier ?? '', null] : [null, identifier ?? ''];
  const [row] =
    await database.query<PasswordUser>(sql`select id, email, encrypted_password, email_confirmed_at,
      phone_confirmed_at, banned_until from auth.users
    where (email = ${email} or phone = ${phone}) and deleted_at is null`);
  return row ?? null;
}
