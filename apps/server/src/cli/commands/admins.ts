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
import type { Command, CommandIO, Invocation, KeylessContext } from '../command.ts';
import { setCommandOrigin, formatCommandActor } from '../audit-origin.ts';
import { parseEnd, parseRequirement } from './administrator-access.ts';

/** `list` */
async function listAdministrators({ database }: KeylessContext, io: CommandIO): Promise<number> {
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
  return 0;
}

/** Runs an action on a user. Returns the sentence about the result, without the email. */
type Action<Context> = (context: Context, email: string, io: CommandIO) => Promise<string>;

const remove: Action<KeylessContext> = async ({ database }, email, io) => {
  await removeAdministrator(database, { email, authorize: setCommandOrigin(io) });
  return 'is no longer an administrator';
};

const restore: Action<KeylessContext> = async ({ database }, email, io) => {
  const endedAt = await restoreAdministrator(database, { email, authorize: setCommandOrigin(io) });
  if (endedAt === null) return 'is an administrator again';
  return `is restored, but the role ended at ${endedAt.toISOString()}. Set a new end date with "lanternrock admins set-end"`;
};

const signOut: Action<KeylessContext> = async ({ database }, email, io) => {
  await database.transaction(async (tx) => {
    await setCommandOrigin(io)(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw noUserError(email);
    // No trigger audits sessions, because users create and delete them all the time.
    await recordDeletions(tx, 'auth.sessions', await revokeUserSessions(tx, user.id));
  });
  return 'is signed out everywhere';
};

const removeFactors: Action<Service> = async (service, email, io) => {
  const authorize = setCommandOrigin(io);
  const client = { ip: '', userAgent: null, requestId: formatCommandActor(io) };
  await resetFactors(service, { email, actorId: null, authorize, client });
  return 'has no second factor now and is signed out everywhere';
};

const actions = new Map([
  ['remove', remove],
  ['restore', restore],
  ['sign-out', signOut],
]);

async function runOnUser<Context>(
  action: Action<Context>,
  context: Context,
  email: string,
  io: CommandIO,
): Promise<number> {
  io.print(`${email} ${await action(context, email, io)}.`);
  return 0;
}

/** @throws UsageError */
function parseEmail(args: readonly string[]): string {
  const [input] = parseArguments(args, {}, 1).positionals;
  if (input === undefined) throw new UsageError('Missing argument: EMAIL.');
  return normalizeEmail(input);
}

/** @throws UsageError */
function parse([name = '', ...args]: readonly string[]): Invocation {
  const action = actions.get(name);
  if (action) {
    const email = parseEmail(args);
    return { requires: 'current-schema', run: (context, io) => runOnUser(action, context, email, io) };
  }
  if (name === 'reset-factors') {
    const email = parseEmail(args);
    // It sends an email and uses keys. The others must work if settings and keys are lost.
    return {
      requires: 'service-settings',
      run: (service, io) => runOnUser(removeFactors, service, email, io),
    };
  }
  if (name === 'list') {
    parseArguments(args, {}, 0);
    return { requires: 'current-schema', run: listAdministrators };
  }
  if (name === 'set-end') return parseEnd(args);
  if (name === 'require-second-factor') return parseRequirement(args);
  // An unknown option before the subcommand has its own message.
  parseArguments([name, ...args], {}, 2);
  throw new UsageError(
    'Expected list, remove, restore, sign-out, reset-factors, set-end or require-second-factor.',
  );
}

export const adminsCommand: Command = {
  name: 'admins',
  usage:
    'list | remove|restore|sign-out|reset-factors EMAIL | set-end EMAIL TIME|never | require-second-factor on|off [--grace DAYS]',
  description:
    'List, remove or restore administrators, set the end of a role, sign users out, remove their second factors, or require second factors.',
  parse,
};
