/** Subcommands of `admins` about the end of a role and the second-factor requirement. */
import { gracePeriodDays, secondFactorRequirementSchema } from '@lanternrock/contract/administrators';
import { normalizeEmail } from '@lanternrock/contract/email';
import { findUserByEmail } from '@lanternrock/auth/users';
import type { Database } from '@lanternrock/postgres';
import { noUserError } from '../../errors.ts';
import { setAdministratorEnd } from '../../administrators/administrator-access.ts';
import { setSecondFactorRequirement } from '../../administrators/second-factor-requirement.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import type { CommandIO, Invocation, KeylessContext } from '../command.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/**
 * `set-end EMAIL TIME|never`
 *
 * @throws UsageError
 */
export function parseEnd(args: readonly string[]): Invocation {
  const [input, time] = parseArguments(args, {}, 2).positionals;
  if (input === undefined || time === undefined) throw new UsageError('Missing argument: EMAIL TIME|never.');
  const endsAt = time === 'never' ? null : new Date(time);
  if (endsAt && (!/^\d{4}-\d{2}-\d{2}T/.test(time) || Number.isNaN(endsAt.getTime())))
    throw new UsageError('TIME must look like 2026-12-06T20:00:00Z, or be "never".');
  const email = normalizeEmail(input);
  return { requires: 'current-schema', run: (context, io) => setEnd(context, io, { email, endsAt }) };
}

/** @param change `endsAt` is null for a role without an end date */
async function setEnd(
  { database, clock }: KeylessContext,
  io: CommandIO,
  { email, endsAt }: { readonly email: string; readonly endsAt: Date | null },
): Promise<number> {
  const user = await findUserByEmail(database, email);
  if (!user) throw noUserError(email);
  const authorize = setCommandOrigin(io);
  await setAdministratorEnd(database, { userId: user.id, endsAt, now: clock.read, authorize });
  const until = endsAt ? `until ${endsAt.toISOString()}` : 'without an end date';
  io.print(`${email} is an administrator ${until}.`);
  return 0;
}

const requirementOptions = { grace: { type: 'string', default: String(gracePeriodDays.default) } } as const;

/**
 * `require-second-factor on|off [--grace DAYS]`
 *
 * @throws UsageError
 */
export function parseRequirement(args: readonly string[]): Invocation {
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
  return {
    requires: 'current-schema',
    run: ({ database }, io) => requireSecondFactor(database, io, graceDays),
  };
}

/** @param graceDays null for no requirement */
async function requireSecondFactor(
  database: Database,
  io: CommandIO,
  graceDays: number | null,
): Promise<number> {
  const dueAt = await setSecondFactorRequirement(database, { graceDays, authorize: setCommandOrigin(io) });
  io.print(
    dueAt
      ? `Administrators need a second factor from ${dueAt.toISOString()}.`
      : 'A second factor is not required. Administrators who have one still need it to sign in.',
  );
  return 0;
}
