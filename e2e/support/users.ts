/** People who can sign in, made the way the product makes them: invited, with a password set through the link. */
import { deleteRows, requestOk, unique } from './api.ts';
import { linkIn, type Instance } from './instance.ts';

export const secret = 'lantern on the pier 7';

/** A token response, as it also lies in local storage. */
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

interface Wish {
  /** False: the role is taken away again. */
  readonly platformAdmin?: boolean;
  /** False: the row in profiles is taken away. */
  readonly profile?: boolean;
  readonly fullName?: string;
}

export interface TestUsers {
  /** The first administrator; shared by the worker's tests, so nobody may sign it out. */
  administrator(): Promise<TestUser>;
  /** Somebody without any role; shared likewise. */
  plain(): Promise<TestUser>;
  /** Somebody for one test alone. */
  make(wish?: Wish): Promise<TestUser>;
  /** Invites an address and returns the token hash of the mailed link. */
  invite(email: string, fullName?: string): Promise<string>;
  /** Removes an administrator, as another one does in the console. */
  remove(email: string): Promise<void>;
}

/** The token hash in a mailed or printed link. */
export function tokenHashIn(link: string): string {
  const hash = new URL(link).searchParams.get('token_hash');
  if (!hash) throw new Error(`No token hash in ${link}`);
  return hash;
}

/** What `find` makes of the texts of the mails to an address, oldest first, as soon as it is something. */
async function inMails<Found>(
  product: Instance,
  address: string,
  find: (texts: readonly string[]) => Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mails = (await product.mails()).filter((mail) => mail.to?.some((to) => to.address === address));
    const found = find(mails.map((mail) => mail.text ?? ''));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No such mail to ${address} within 10 s`);
}

/** The link of this kind in the newest mail to an address after the first `skip` such mails. */
export const emailedLink = (product: Instance, address: string, type: string, skip = 0): Promise<URL> =>
  inMails(
    product,
    address,
    (texts) =>
      texts
        .flatMap((text) => /https?:\/\/\S+/.exec(text)?.slice(0, 1) ?? [])
        .map((link) => new URL(link))
        .filter((link) => link.searchParams.get('type') === type)[skip],
  );

/** The six digits in the first mail to an address that has some. */
export const emailedCode = (product: Instance, address: string): Promise<string> =>
  inMails(product, address, (texts) => texts.flatMap((text) => /^\d{6}$/m.exec(text) ?? [])[0]);

/** Signs in with the password that everybody here has. */
export async function newSession(product: Instance, email: string): Promise<StoredSession> {
  const body = { email, password: secret };
  return (await requestOk(product, '/auth/v1/token?grant_type=password', { body })) as StoredSession;
}

/**
 * Sets the password behind a link, as the console does.
 * @returns the link's session, renewed: it knows of the password, and no further hash was computed
 */
export async function acceptLink(
  product: Instance,
  tokenHash: string,
  type = 'invite',
): Promise<StoredSession> {
  const body = { type, token_hash: tokenHash };
  const session = (await requestOk(product, '/auth/v1/verify', { body })) as StoredSession;
  await requestOk(product, '/auth/v1/user', {
    method: 'PUT',
    body: { password: secret },
    token: session.access_token,
  });
  const { refresh_token } = session;
  const path = '/auth/v1/token?grant_type=refresh_token';
  return (await requestOk(product, path, { body: { refresh_token } })) as StoredSession;
}

export function createTestUsers(product: Instance): TestUsers {
  const shared = new Map<string, Promise<TestUser>>();
  const once = (name: string, make: () => Promise<TestUser>): Promise<TestUser> => {
    const person = shared.get(name) ?? make();
    shared.set(name, person);
    return person;
  };
  const administrator = (): Promise<TestUser> =>
    once('administrator', async () => {
      const session = await acceptLink(product, tokenHashIn(product.firstLink));
      return { id: session.user.id, email: session.user.email, fullName: 'Administrator', session };
    });
  const invite = async (email: string, fullName = 'Robin Hart'): Promise<string> => {
    const { session } = await administrator();
    const body = { email, full_name: fullName };
    await requestOk(product, '/functions/v1/send-user-invitation', { body, token: session.access_token });
    return tokenHashIn(linkIn(await product.mailTo(email)));
  };
  const make = async ({
    platformAdmin = true,
    profile = true,
    fullName = 'Robin Hart',
  }: Wish = {}): Promise<TestUser> => {
    const email = `${unique('person')}@example.org`;
    const session = await acceptLink(product, await invite(email, fullName));
    const { id } = session.user;
    if (!platformAdmin) await deleteRows(product, 'user_roles', `user_id=eq.${id}`);
    if (!profile) await deleteRows(product, 'profiles', `id=eq.${id}`);
    return { id, email, fullName, session };
  };
  return {
    administrator,
    plain: () => once('plain', () => make({ platformAdmin: false, fullName: 'Pat Plain' })),
    make,
    invite,
    remove: async (email) => {
      const { session } = await administrator();
      const token = session.access_token;
      await requestOk(product, '/functions/v1/remove-administrator', { body: { email }, token });
    },
  };
}

export const storageKey = (product: Instance): string =>
  `sb-${new URL(product.url).hostname.split('.')[0] ?? ''}-auth-token`;

/** A browser's state in which this session is stored. */
export function storageStateFor(product: Instance, session: StoredSession) {
  const localStorage = [{ name: storageKey(product), value: JSON.stringify(session) }];
  return { cookies: [], origins: [{ origin: product.url, localStorage }] };
}
