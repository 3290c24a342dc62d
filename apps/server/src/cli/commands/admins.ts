import { normalizeEmail } from '@lanternrock/contract/email';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { DomainError } from '../../errors.ts';
import { revokeSessions } from '@lanternrock/auth/session-writes';
import { findUserByEmail } from '@lanternrock/auth/user-records';
import {
  removeAdministrator,
  restoreAdministrator,
  type Authorize,
} from '../../invitations/administrators.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Service } from '../../service.ts';
import type { Command, Output } from '../command.ts';
import { setAuditOrigin, originOf } from '../audit-origin.ts';

async function list(tx: Transaction, output: Output): Promise<void> {
  const rows = await tx.query<{ email: string; name: string | null; seen: Date | null; banned: boolean }>(
    sql`select u.email, p.full_name as name, u.last_sign_in_at as seen,
               coalesce(u.banned_until > now(), false) as banned
          from public.user_roles r join auth.users u on u.id = r.user_id
          left join public.profiles p on p.id = u.id
         where r.role = 'platform_admin' order by u.email`,
  );
  for (const { email, name, seen, banned } of rows) {
    const last = seen ? `last sign-in ${seen.toISOString()}` : 'never signed in';
    output.print(`${email.padEnd(36)} ${(name ?? '').padEnd(24)} ${banned ? 'banned' : last}`);
  }
  if (rows.length === 0)
    output.print('No administrators. Create one with: lanternrock invite EMAIL --name NAME');
}

type Action = (service: Service, email: string, output: Output) => Promise<void>;

const onDatabase =
  (action: (database: Database, email: string, authorize: Authorize) => Promise<void>): Action =>
  ({ database }, email, output) =>
    action(database, email, setAuditOrigin(output));

const resetFactors: Action = ({ auth }, email, output) =>
  auth.resetFactors({
    email,
    actorId: null,
    authorize: setAuditOrigin(output),
    requestId: originOf(output),
    ip: '',
  });

const actions = {
  remove: { run: onDatabase(removeAdministrator), outcome: 'is removed' },
  restore: { run: onDatabase(restoreAdministrator), outcome: 'is an administrator again' },
  'sign-out': { run: onDatabase(signOut), outcome: 'is signed out everywhere' },
  'reset-factors': { run: resetFactors, outcome: 'has no second factor now and is signed out everywhere' },
} as const;

const isAction = (name: string | undefined): name is keyof typeof actions =>
  name !== undefined && name in actions;

async function signOut(database: Database, email: string, authorize: Authorize): Promise<void> {
  await database.transaction(async (tx) => {
    await authorize(tx);
    const user = await findUserByEmail(tx, email);
    if (!user) throw new DomainError('user_not_found', `No user has the email ${email}.`);
    const revoked = await revokeSessions(tx, { userId: user.id });
    // No trigger audits sessions, because users create and delete them all the time. An operator's action is audited
    // here.
    await tx.query(
      sql`insert into private.audit_log (request_id, table_name, row_id, action, before)
          select current_setting('request.id'), 'auth.sessions', id, 'DELETE', to_jsonb(revoked)
          from jsonb_to_recordset(${JSON.stringify(revoked)}::jsonb)
            as revoked (id uuid, user_id uuid, created_at timestamptz)`,
    );
  });
}

export const adminsCommand: Command = {
  name: 'admins',
  usage: 'list | remove|restore|sign-out|reset-factors EMAIL',
  description:
    'List, remove or restore administrators, revoke their sessions, or remove their second factors.',
  requires: 'current-schema',
  async run(service, args, output) {
    const [action, input] = parseArguments(args, {}, args[0] === 'list' ? 1 : 2).positionals;
    if (action === 'list') {
      await list(service.database, output);
      return 0;
    }
    if (!isAction(action)) throw new UsageError('Expected list, remove, restore, sign-out or reset-factors.');
    if (input === undefined) throw new UsageError('Missing argument: EMAIL.');
    const email = normalizeEmail(input);
    await actions[action].run(service, email, output);
    output.print(`${email} ${actions[action].outcome}.`);
    return 0;
  },
};
