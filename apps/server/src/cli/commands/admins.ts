import { normalizeEmail } from '@lanternrock/contract/email';
import { type Database, sql } from '@lanternrock/postgres';
import { findUserByEmail, revokeUserSessions } from '@lanternrock/auth/users';
import { recordDeletions } from '../../audit-log.ts';
import { DomainError } from '../../errors.ts';
import { removeAdministrator, restoreAdministrator } from '../../invitations/administrators.ts';
import { resetFactors } from '../../invitations/reset-factors.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Service } from '../../service.ts';
import type { Command, Output } from '../command.ts';
import { setAuditOrigin, originOf } from '../audit-origin.ts';
import { requireSecondFactor, setEnd } from './administrator-access.ts';

async function listAdministrators(database: Database, output: Output): Promise<void> {
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
    output.print(`${email.padEnd(36)} ${(name ?? '').padEnd(24)} ${banned ? 'banned' : last}${end}`);
  }
  if (rows.length === 0)
    output.print('No administrators. Create one with: lanternrock invite EMAIL --name NAME');
}

/** Runs an action on a user. Returns the sentence about the result, without the email. */
type Action = (service: Service, email: string, output: Output) => Promise<string>;

const remove: Action = async ({ database }, email, output) => {
  await removeAdministrator(database, email, setAuditOrigin(output));
  return 'is removed';
};

const restore: Action = async ({ database }, email, output) => {
  await restoreAdministrator(database, email, setAuditOrigin(output));
  return 'is an administrator again';
};

const signOut: Action = async ({ database }, email, output) => {
  await database.transaction(async (tx) => {
    await setAuditOrigin(output)(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw new DomainError('user_not_found', `No user has the email ${email}.`);
    // No trigger audits sessions, because users create and delete them all the time.
    await recordDeletions(tx, 'auth.sessions', await revokeUserSessions(tx, user.id));
  });
  return 'is signed out everywhere';
};

const removeFactors: Action = async (service, email, output) => {
  const authorize = setAuditOrigin(output);
  const client = { ip: '', userAgent: null, requestId: originOf(output) };
  await resetFactors(service, { email, actorId: null, authorize, client });
  return 'has no second factor now and is signed out everywhere';
};

const actions = new Map([
  ['remove', remove],
  ['restore', restore],
  ['sign-out', signOut],
  ['reset-factors', removeFactors],
]);

/** Subcommands that parse their own arguments. */
const subcommands = new Map([
  ['set-end', setEnd],
  ['require-second-factor', requireSecondFactor],
]);
const names = 'list, remove, restore, sign-out, reset-factors, set-end or require-second-factor';

export const adminsCommand: Command = {
  name: 'admins',
  usage:
    'list | remove|restore|sign-out|reset-factors EMAIL | set-end EMAIL TIME|never | require-second-factor on|off [--grace DAYS]',
  description:
    'List, remove or restore administrators, end their roles, sessions or second factors, or demand second factors.',
  requires: 'current-schema',
  // Only this one sends an email. The others must work when the settings of the service are lost.
  needsServiceSettings: ([action]) => action === 'reset-factors',
  async run(service, args, output) {
    const [, ...rest] = args;
    const subcommand = subcommands.get(args[0] ?? '');
    if (subcommand) {
      await subcommand(service, rest, output);
      return 0;
    }
    const [name = '', input] = parseArguments(args, {}, args[0] === 'list' ? 1 : 2).positionals;
    if (name === 'list') {
      await listAdministrators(service.database, output);
      return 0;
    }
    const action = actions.get(name);
    if (!action) throw new UsageError(`Expected ${names}.`);
    if (input === undefined) throw new UsageError('Missing argument: EMAIL.');
    const email = normalizeEmail(input);
    output.print(`${email} ${await action(service, email, output)}.`);
    return 0;
  },
};
