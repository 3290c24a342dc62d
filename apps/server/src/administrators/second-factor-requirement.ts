/** The requirement of a second factor for all administrators. The database enforces it after the grace period. */
import type { SecondFactorRequirement } from '@lanternrock/contract/administrators';
import { QueryError } from '@lanternrock/postgres/errors';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { type PasskeySettings, passkeysGiveAal2 } from '@lanternrock/auth/settings';
import { DomainError } from '../errors.ts';
import { tryToSeniorityError } from './administrator-seniority.ts';
import { notifyOfRequirement, type NoticeSender } from './administrator-notices.ts';
import type { Authorize } from './email-action.ts';

interface RequirementRow extends Omit<SecondFactorRequirement, 'due_at'> {
  readonly [column: string]: unknown;
  readonly due_at: Date | null;
}

/** Reads the requirement as it applies to the user of the claims. */
export async function readSecondFactorRequirement(
  tx: Transaction,
  config: PasskeySettings,
): Promise<SecondFactorRequirement> {
  const [row] = await tx.query<RequirementRow>(
    sql`select u.has_verified_factor as second_factor,
          ${passkeysGiveAal2(config)}::boolean and auth.has_verifying_passkey(u.id) as passkey,
          private.meets_second_factor_requirement(u.id, auth.jwt() ->> 'aal') as met,
          coalesce(private.administrator_denial(u.id, auth.jwt() ->> 'aal') = 'second_factor_required', false) as blocked,
          (select due_at from private.second_factor_requirement
            where exists (select from private.active_administrators a where a.id = u.id)) as due_at
        from auth.users u where u.id = auth.uid()`,
  );
  if (!row) return { due_at: null, second_factor: false, passkey: false, met: false, blocked: false };
  return { ...row, due_at: row.due_at?.toISOString() ?? null };
}

const ownFactorMessage =
  'Set up your own second factor before you require one, or sign in with it if you have one.';

interface RequirementChange {
  /** Days until the requirement applies; null removes it. */
  readonly graceDays: number | null;
  readonly authorize: Authorize;
  /** Without a sender, nobody is informed: the command must work if settings and keys are lost. */
  readonly notices?: NoticeSender;
}

/**
 * Creates, replaces or removes the requirement. The grace period starts again with every change. The other administrators get
 * an email.
 *
 * @returns the end of the grace period, or null
 * @throws DomainError second_factor_missing, administrator_too_new; as `authorize`
 */
export async function setSecondFactorRequirement(
  database: Database,
  { graceDays, authorize, notices }: RequirementChange,
): Promise<Date | null> {
  try {
    const dueAt = await database.transaction(async (tx) => {
      await authorize(tx);
      if (graceDays === null) {
        const removed = await tx.query(sql`delete from private.second_factor_requirement returning id`);
        if (notices && removed.length > 0) await notifyOfRequirement(tx, notices, null);
        return null;
      }
      const [row] = await tx.query<{ due_at: Date }>(
        sql`insert into private.second_factor_requirement (due_at, set_by)
            values (now() + make_interval(days => ${graceDays}::int), auth.uid())
            on conflict (id) do update set due_at = excluded.due_at, set_by = excluded.set_by returning due_at`,
      );
      if (notices && row) await notifyOfRequirement(tx, notices, row.due_at);
      return row?.due_at ?? null;
    });
    notices?.outbox.wake();
    return dueAt;
  } catch (error) {
    if (error instanceof QueryError && error.constraint === 'second_factor_requirement_own_factor')
      throw new DomainError('second_factor_missing', ownFactorMessage, { cause: error });
    throw tryToSeniorityError(error) ?? error;
  }
}
