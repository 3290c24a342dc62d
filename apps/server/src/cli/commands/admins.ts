import { normalizeEmail } from '@lanternrock/contract/email';
import { sql } from '@lanternrock/postgres';
import { findUserByEmail, revokeUserSessions } from '@lanternrock/auth/users';
import { recordDeletions } from '../../audit-log.ts';
import { noUserError } from '../../errors.ts';
import { removeAdministrator, restoreAdministrator } from '../../administrators/administrators.ts';
import { resetFactors } from '../../administrators/reset-factors.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Service } from '../../service.ts';
import type { Command, KeylessContext, CommandIO } from '../command.ts';
import { setAuditOrigin, formatAuditOrigin } from '../audit-origin.ts';
import { requireSecondFactor, setEnd } from './administrator-access.ts';

/** `list` */
async function listAdministrators(
  { database }: KeylessContext,
  args: readonly string[],
  io: CommandIO,
): Promise<void> {
  parseArguments(args, {}, 0);
  const rows = await database.query<{
    email: string;
    name: string | null;
    seen: Date | null;
    banned: boolean;
    ends: Date | null;
    ended: boolean;
  }>(
    sql`select u.email, p.full_name as name, u.last_sign_in_at as seen,
               coalesce(u.banned_until > now(), false) as banned,
               r.ends_at as ends, coalesce(r.ends_at <= now(), false) as ended
          from public.user_roles r join auth.users u on u.id = r.user_id
          left join public.profiles p on p.id = u.id
         where r.role = 'platform_admin' order by u.email`,
  );
  for (const { email, name, seen, banned, ends, ended } of rows) {
    const last = seen ? `last sign-in ${seen.toISOString()}` : 'never signed in';
    const end = ends ? `, ${ended ? 'ended' : 'until'} ${ends.toISOString()}` : '';
    io.print(`${email.padEnd(36)} ${(name ?? '').padEnd(24)} ${banned ? 'banned' : last}${end}`);
  }
  if (rows.length === 0) io.print('No administrators. Invite one with: lanternrock invite EMAIL --name NAME');
}

/** Runs an action on a user. Returns the sentence about the result, without the email. */
type Action<Context> = (context: Context, email: string, io: CommandIO) => Promise<string>;

const remove: Action<KeylessContext> = async ({ database }, email, io) => {
  await removeAdministrator(database, { email, authorize: setAuditOrigin(io) });
  return 'is no longer an administrator';
};

const restore: Action<KeylessContext> = async ({ database }, email, io) => {
  const endedAt = await restoreAdministrator(database, { email, authorize: setAuditOrigin(io) });
  if (endedAt === null) return 'is an administrator again';
  return `is restored, but the role ended at ${endedAt.toISOString()}. Set a new end date with "lanternrock admins set-end"`;
};

const signOut: Action<KeylessContext> = async ({ database }, email, io) => {
  await database.transaction(async (tx) => {
    await setAuditOrigin(io)(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw noUserError(email);
    // No trigger audits sessions, because users create and delete them all the time.
    await recordDeletions(tx, 'auth.sessions', await revokeUserSessions(tx, user.id));
  });
  return 'is signed out everywhere';
};

const removeFactors: Action<Service> = async (service, email, io) => {
  const authorize = setAuditOrigin(io);
  const client = { ip: '', userAgent: null, requestId: formatAuditOrigin(io) };
  await resetFactors(service, { email, actorId: null, authorize, client });
  return 'has no second factor now and is signed out everywhere';
};

const actions = new Map([
  ['remove', remove],
  ['restore', restore],
  ['sign-out', signOut],
]);

/** Subcommands that parse their own arguments. */
const subcommands = new Map([
  ['list', listAdministrators],
  ['set-end', setEnd],
  ['require-second-factor', requireSecondFactor],
]);
const names = 'list, remove, restore, sign-out, reset-factors, set-end or require-second-factor';

/** @throws UsageError */
async function runOnUser<Context>(
  action: Action<Context>,
  context: Context,
  args: readonly string[],
  io: CommandIO,
): Promise<number> {
  const [, input] = parseArguments(args, {}, 2).positionals;
  if (input === undefined) throw new UsageError('Missing argument: EMAIL.');
  const email = normalizeEmail(input);
  io.print(`${email} ${await action(context, email, io)}.`);
  return 0;
}

async function runKeyless(context: KeylessContext, args: readonly string[], io: CommandIO): Promise<number> {
  const [name = '', ...rest] = args;
  const action = actions.get(name);
  if (action) return runOnUser(action, context, args, io);
  const subcommand = subcommands.get(name);
  if (!subcommand) {
    // An unknown option before the subcommand has its own message.
    parseArguments(args, {}, 2);
    throw new UsageError(`Expected ${names}.`);
  }
  await subcommand(context, rest, io);
  return 0;
}

/** Only `reset-factors` sends an email and uses keys. The others must work if settings and keys are lost. */
const isReset = ([name]: readonly string[]): boolean => name === 'reset-factors';

export const adminsCommand: Command = {
  name: 'admins',
  usage:
    'list | remove|restore|sign-out|reset-factors EMAIL | set-end EMAIL TIME|never | require-second-factor on|off [--grace DAYS]',
  description:
    'List, remove or restore administrators, end their roles or sessions, reset their second factors, or require them.',
  requires: 'current-schema',
  needsServiceSettings: isReset,
  keylessAction: (args) => (isReset(args) ? null : async (context, io) => runKeyless(context, args, io)),
  run: async (service, args, io) =>
    isReset(args) ? runOnUser(removeFactors, service, args, io) : runKeyless(service, args, io),
};
