/** Creates a user with its email and phone identities. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { validateMetadata } from './validate-metadata.ts';
import { randomUUID } from 'node:crypto';
import { toUniqueViolationError } from './unique-violations.ts';
import { findUserById, type UserRecord } from './user-records.ts';

export interface NewUser {
  readonly id?: string;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly passwordHash?: string | null;
  readonly emailConfirmed?: boolean;
  readonly phoneConfirmed?: boolean;
  readonly userData?: Readonly<Record<string, unknown>>;
  readonly appData?: Readonly<Record<string, unknown>>;
  readonly role?: string;
  readonly anonymous?: boolean;
  readonly bannedUntil?: Date | null;
  readonly now: Date;
}

/** @throws ApiError 422 `email_exists`, `phone_exists`, or `user_already_exists` for an ID in use */
export async function createUser(tx: Transaction, user: NewUser): Promise<UserRecord> {
  const { id = randomUUID(), email = null, phone = null, now } = user;
  validateMetadata(user.userData ?? {});
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])];
  const providerData = providers.length > 0 ? { provider: providers[0], providers } : {};
  try {
    await tx.query(sql`insert into auth.users
        (id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, raw_user_meta_data,
          raw_app_meta_data, role, is_anonymous, banned_until, created_at, updated_at)
      values (${id}, ${email}, ${phone}, ${user.passwordHash ?? null}, ${user.emailConfirmed ? now : null},
        ${user.phoneConfirmed ? now : null}, ${JSON.stringify(user.userData ?? {})}::jsonb,
        ${JSON.stringify({ ...providerData, ...user.appData })}::jsonb, ${user.role ?? 'authenticated'},
        ${user.anonymous ?? false}, ${user.bannedUntil ?? null}, ${now}, ${now})`);
  } catch (error) {
    throw toUniqueViolationError(error);
  }
  const verified = {
    email_verified: user.emailConfirmed ?? false,
    phone_verified: user.phoneConfirmed ?? false,
  };
  for (const provider of providers) {
    const contact = provider === 'email' ? { email } : { phone };
    await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
      values (${id}, ${provider}, ${id}, ${JSON.stringify({ sub: id, ...contact, ...verified })}::jsonb, ${now}, ${now})`);
  }
  const created = await findUserById(tx, id);
  if (!created) throw new Error('The new user was not found');
  return created;
}
