/** Decisions of the product inside the transactions of the Auth API. */
import type { Transaction } from '@lanternrock/postgres';
import type { ClientInfo } from './auth-context.ts';
import type { AuthEmail } from './mailer.ts';
import type { OneTimeToken } from './one-time-tokens/one-time-tokens.ts';
import type { FactorRecord } from './users/user-records.ts';

/** The user of a valid link of type `invite`. */
export interface InviteTarget {
  readonly userId: string;
  readonly email: string;
  /** Tag of the session, opaque to the Auth API; null for a link of `POST /invite`. */
  readonly tag: string | null;
}

export type RemovedFactor = Pick<FactorRecord, 'id' | 'user_id' | 'factor_type' | 'friendly_name' | 'status'>;

/** Each method runs in the transaction of the action; all but `resolveInvite` run after the user row is locked. */
export interface AuthHooks {
  /**
   * Resolves a link of type `invite`, without consuming it. A session from it has the tag of the result and can only
   * set a password.
   *
   * @param link.openedBy the client that opened the link; null for a check
   * @returns null for an unknown link
   */
  resolveInvite(
    tx: Transaction,
    link: { readonly tokenHash: Uint8Array; readonly openedBy: ClientInfo | null; readonly now: Date },
  ): Promise<InviteTarget | 'expired' | null>;
  /**
   * A user sets a first password, or any user in a session with a tag.
   *
   * @returns true if this accepts an invitation
   * @throws AuthError to reject the password; everything is rolled back
   */
  passwordSet(
    tx: Transaction,
    event: { readonly userId: string; readonly tag: string | null },
  ): Promise<boolean>;
  /**
   * Recovery for a user who never had a password: stores the token and returns the email with it, or null. Runs the
   * same statements with the user null, which stands for every other address, known or not.
   */
  setupEmail(
    tx: Transaction,
    request: { readonly userId: string | null; readonly token: OneTimeToken; readonly now: Date },
  ): Promise<Omit<AuthEmail, 'to' | 'userId'> | null>;
  /** The user changed their own metadata. */
  userDataChanged(
    tx: Transaction,
    change: { readonly userId: string; readonly data: Readonly<Record<string, unknown>> },
  ): Promise<void>;
  /**
   * The second factors of a user were removed for them; the user gets an email.
   *
   * @param reset.actor name of the actor for a sentence
   */
  factorsReset(
    tx: Transaction,
    reset: {
      readonly userId: string;
      readonly email: string;
      readonly actor: string;
      readonly removed: readonly RemovedFactor[];
    },
  ): Promise<void>;
}

/** The Auth API without a product around it. */
export const noHooks: AuthHooks = {
  resolveInvite: async () => null,
  passwordSet: async () => false,
  setupEmail: async () => null,
  userDataChanged: async () => {},
  factorsReset: async () => {},
};
