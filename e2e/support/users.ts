/** Test users, created by an invitation and a password set through its link. */
import { deleteRows, request, requestOk, unique } from './api.ts';
import { linkIn, type Instance } from './instance.ts';

export const testPassword = 'lantern on the pier 7';

/** Token response, as stored in local storage. */
export interface StoredSession {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_at: number;
  readonly expires_in: number;
  readonly user: { readonly id: string; readonly email: string };
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  readonly session: StoredSession;
}

interface TestUserOptions {
  /** False: the user has no role. */
  readonly isAdministrator?: boolean;
  /** False: the user has no row in `profiles`. */
  readonly profile?: boolean;
  readonly fullName?: string;
}

export interface TestUsers {
  /** Returns the first administrator. All tests of the worker share it, so a test must not sign it out. */
  administrator(): Promise<TestUser>;
  /** Makes the session of the administrator fresh for sensitive changes. Call before each test. */
  renewAdministrator(): Promise<void>;
  /** Gives a shared user a new session, so that the pages of this test use no refresh token of another test. */
  replaceSession(name: 'administrator' | 'plain'): Promise<void>;
  /** Returns a user without a role, shared in the same way. */
  plain(): Promise<TestUser>;
  /** Creates a user for a single test. */
  create(options?: TestUserOptions): Promise<TestUser>;
  /** Invites an email address and returns the token hash of the emailed link. */
  invite(email: string, fullName?: string): Promise<string>;
  /** Removes an administrator, as another administrator does in the console. */
  remove(email: string): Promise<void>;
}

/** Returns the session of an access token, also after `Bearer`. A page with a wrong clock refreshes the token. */
export const sessionIdOf = (token: string): unknown => {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { session_id?: unknown }).session_id;
};

/**
 * Returns the token hash of an emailed or printed link.
 *
 * @throws Error if there is none
 */
export function tokenHashIn(link: string): string {
  const hash = new URL(link).searchParams.get('token_hash');
  if (!hash) throw new Error(`No token hash in ${link}`);
  return hash;
}

/** Polls until `find` returns a value for the texts of the emails to the address, oldest first. */
async function findInEmails<Found>(
  instance: Instance,
  address: string,
  find: (texts: readonly string[]) => Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mails = (await instance.mails()).filter((mail) => mail.to?.some((to) => to.address === address));
    const found = find(mails.map((mail) => mail.text ?? ''));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No matching email to ${address} within 10 s`);
}

/** Returns the link of this type from an email to the address. Skips the first `skip` such links. */
export const emailedLink = (instance: Instance, address: string, type: string, skip = 0): Promise<URL> =>
  findInEmails(
    instance,
    address,
    (texts) =>
      texts
        .flatMap((text) => /https?:\/\/\S+/.exec(text)?.slice(0, 1) ?? [])
        .map((link) => new URL(link))
        .filter((link) => link.searchParams.get('type') === type)[skip],
  );

/** Returns the six-digit code of the first email to the address that contains one. */
export const emailedCode = (instance: Instance, address: string): Promise<string> =>
  findInEmails(instance, address, (texts) => texts.flatMap((text) => /^\d{6}$/m.exec(text) ?? [])[0]);

/** Milliseconds. A session is fresh for ten minutes. */
const renewalMs = 240_000;

const refreshSession = async (
  instance: Instance,
  { refresh_token }: StoredSession,
): Promise<StoredSession> => {
  const path = '/auth/v1/token?grant_type=refresh_token';
  return (await requestOk(instance, path, { body: { refresh_token } })) as StoredSession;
};

/** Signs in with the password of the test users. */
export async function newSession(instance: Instance, email: string): Promise<StoredSession> {
  const body = { email, password: testPassword };
  return (await requestOk(instance, '/auth/v1/token?grant_type=password', { body })) as StoredSession;
}

/**
 * Redeems a link and sets the password, as the console does.
 *
 * @returns the refreshed session, which avoids a sign-in and so another password hash
 */
export async function acceptLink(
  instance: Instance,
  tokenHash: string,
  type = 'invite',
): Promise<StoredSession> {
  const body = { type, token_hash: tokenHash };
  const session = (await requestOk(instance, '/auth/v1/verify', { body })) as StoredSession;
  await requestOk(instance, '/auth/v1/user', {
    method: 'PUT',
    body: { password: testPassword },
    token: session.access_token,
  });
  return refreshSession(instance, session);
}

export function createTestUsers(instance: Instance): TestUsers {
  const shared = new Map<string, Promise<TestUser>>();
  const once = (name: string, createUser: () => Promise<TestUser>): Promise<TestUser> => {
    const user = shared.get(name) ?? createUser();
    shared.set(name, user);
    return user;
  };
  let renewedAt = 0;
  const administrator = (): Promise<TestUser> =>
    once('administrator', async () => {
      renewedAt = Date.now();
      const session = await acceptLink(instance, tokenHashIn(instance.firstLink));
      return { id: session.user.id, email: session.user.email, fullName: 'Administrator', session };
    });
  const invite = async (email: string, fullName = 'Robin Hart'): Promise<string> => {
    const { session } = await administrator();
    const body = { email, full_name: fullName };
    await requestOk(instance, '/functions/v1/send-user-invitation', { body, token: session.access_token });
    return tokenHashIn(linkIn(await instance.mailTo(email)));
  };
  const create = async ({
    isAdministrator = true,
    profile = true,
    fullName = 'Robin Hart',
  }: TestUserOptions = {}): Promise<TestUser> => {
    const email = `${unique('user')}@example.org`;
    const session = await acceptLink(instance, await invite(email, fullName));
    const { id } = session.user;
    if (!isAdministrator) await deleteRows(instance, 'user_roles', `user_id=eq.${id}`);
    if (!profile) await deleteRows(instance, 'profiles', `id=eq.${id}`);
    return { id, email, fullName, session };
  };
  const plain = (): Promise<TestUser> =>
    once('plain', () => create({ isAdministrator: false, fullName: 'Pat Plain' }));
  return {
    administrator,
    replaceSession: async (name) => {
      const user = await (name === 'administrator' ? administrator() : plain());
      const session = await newSession(instance, user.email);
      shared.set(name, Promise.resolve({ ...user, session }));
    },
    renewAdministrator: async () => {
      const user = await shared.get('administrator');
      if (user === undefined || Date.now() - renewedAt < renewalMs) return;
      renewedAt = Date.now();
      const body = { current_password: testPassword };
      const token = user.session.access_token;
      const { status } = await request(instance, '/auth/v1/reauthenticate', { body, token });
      // A test of this instance has given the administrator a second factor, or ended the session.
      if (status !== 200) return;
      const session = await refreshSession(instance, user.session);
      shared.set('administrator', Promise.resolve({ ...user, session }));
    },
    plain,
    create,
    invite,
    remove: async (email) => {
      const { session } = await administrator();
      const token = session.access_token;
      await requestOk(instance, '/functions/v1/remove-administrator', { body: { email }, token });
    },
  };
}

/** Returns the key of the session in local storage. */
export const storageKey = ({ url }: Pick<Instance, 'url'>): string =>
  `sb-${new URL(url).hostname.split('.')[0] ?? ''}-auth-token`;

export const setupDismissalKey = (userId: string): string => `setup_dismissed:${userId}`;

/** Returns a Playwright storage state with this session, in which the user has dismissed the setup steps. */
export function storageStateFor(instance: Instance, session: StoredSession) {
  const localStorage = [
    { name: storageKey(instance), value: JSON.stringify(session) },
    // Every test instance is new. `e2e/accounts/setup-checklist.dedicated.spec.ts` tests the steps.
    { name: setupDismissalKey(session.user.id), value: 'true' },
  ];
  return { cookies: [], origins: [{ origin: instance.url, localStorage }] };
}
