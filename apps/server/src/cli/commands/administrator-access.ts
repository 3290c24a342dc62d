/** Subcommands of `admins` about the end of a role and the second-factor requirement. */
import { gracePeriodDays, secondFactorRequirementSchema } from '@lanternrock/contract/administrators';
import { normalizeEmail } from '@lanternrock/contract/email';
import { findUserByEmail } from '@lanternrock/auth/users';
import { noUserError } from '../../errors.ts';
import { setAdministratorEnd } from '../../administrators/administrator-access.ts';
import { setSecondFactorRequirement } from '../../administrators/second-factor-requirement.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import type { KeylessContext, CommandIO } from '../command.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/** `set-end EMAIL TIME|never` */
export async function setEnd(
  { database, clock }: KeylessContext,
  args: readonly string[],
  io: CommandIO,
): Promise<void> {
  const [input, time] = parseArguments(args, {}, 2).positionals;
  if (input === undefined || time === undefined) throw new UsageError('Missing argument: EMAIL TIME|never.');
  const endsAt = time === 'never' ? null : new Date(time);
  if (endsAt && (!/^\d{4}-\d{2}-\d{2}T/.test(time) || Number.isNaN(endsAt.getTime())))
    throw new UsageError('TIME must look like 2026-12-06T20:00:00Z, or be "never".');
  const email = normalizeEmail(input);
  const user = await findUserByEmail(database, email);
  if (!user) throw noUserError(email);
  const authorize = setAuditOrigin(io);
  await setAdministratorEnd(database, { userId: user.id, endsAt, now: clock.read, authorize });
  const until = endsAt ? `until ${endsAt.toISOString()}` : 'without an end date';
  io.print(`${email} is an administrator ${until}.`);
}

const requirementOptions = { grace: { type: 'string', default: String(gracePeriodDays.default) } } as const;

/** `require-second-factor on|off [--grace DAYS]` */
export async function requireSecondFactor(
  { database }: KeylessContext,
  args: readonly string[],
  io: CommandIO,
): Promise<void> {
  const { positionals, values } = parseArguments(args, requirementOptions, 1);
  const [state] = positionals;
  if (state !== 'on' && state !== 'off') throw new UsageError('Expected on or off.');
  const grace = /^\d{1,2}$/.test(values.grace) ? Number(values.grace) : Number.NaN;
  const requirement = secondFactorRequirementSchema.safeParse({
    required: state === 'on',
    grace_days: grace,
  });
  if (!requirement.success) throw new UsageError('--grace must be 0 to 30 days.');
  const graceDays = state === 'on' ? requirement.data.grace_days : null;
  const dueAt = await setSecondFactorRequirement(database, { graceDays, authorize: setAuditOrigin(io) });
  io.print(
    dueAt
      ? `Administrators need a second factor from ${dueAt.toISOString()}.`
      : 'Administrators need no second factor.',
  );
}
