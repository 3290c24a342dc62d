import { normalizeEmail } from '@lanternrock/contract/email';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
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
    output.print('There is no administrator. lanternrock invite EMAIL --name NAME makes one.');
}

type Act = (service: Service, email: string, output: Output) => Promise<void>;

const onDatabase =
  (act: (database: Database, email: string, authorize: Authorize) => Promise<void>): Act =>
  ({ database }, email, output) =>
    act(database, email, setAuditOrigin(output));

const resetFactors: Act = ({ auth }, email, output) =>
  auth.resetFactors({
    email,
    actorId: null,
    authorize: setAuditOrigin(output),
    requestId: originOf(output),
    ip: '',
  });

const acts = {
  remove: { act: onDatabase(removeAdministrator), outcome: 'is removed' },
  restore: { act: onDatabase(restoreAdministrator), outcome: 'is an administrator again' },
  'sign-out': { act: onDatabase(endSessions), outcome: 'is signed out everywhere' },
  'reset-factors': { act: resetFactors, outcome: 'has no second factor now and is signed out everywhere' },
} as const;

const isAct = (name: string | undefined): name is keyof typeof acts => name !== undefined && name in acts;

async function endSessions(database: Database, email: string, authorize: Authorize): Promise<void> {
  await database.transaction(async (tx) => {
    await authorize(tx);
    const [person] = await tx.query<{ id: string }>(
      sql`select id from auth.users where email = ${email} and deleted_at is null`,
    );
    if (!person) throw new ApiError(404, 'user_not_found', `Nobody has the address ${email}.`);
    await tx.query(sql`update auth.users set device_epoch = device_epoch + 1 where id = ${person.id}`);
    // Sessions come and go by themselves, so no trigger records them; what an operator ends is an act.
    await tx.query(
      sql`with ended as (
            delete from auth.sessions where user_id = ${person.id} returning id, user_id, created_at
          )
          insert into private.audit_log (request_id, table_name, row_id, action, before)
          select current_setting('request.id'), 'auth.sessions', id, 'DELETE', to_jsonb(ended) from ended`,
    );
  });
}

export const adminsCommand: Command = {
  name: 'admins',
  usage: 'list | remove|restore|sign-out|reset-factors EMAIL',
  description:
    'Lists, removes and restores administrators, ends all their sessions, or removes their second factors.',
  requires: 'current-schema',
  async run(service, args, output) {
    const [action, address] = parseArguments(args, {}, args[0] === 'list' ? 1 : 2).positionals;
    if (action === 'list') {
      await list(service.database, output);
      return 0;
    }
    if (!isAct(action)) throw new UsageError('Say list, remove, restore, sign-out or reset-factors.');
    if (address === undefined) throw new UsageError('Name the e-mail address.');
    const email = normalizeEmail(address);
    await acts[action].act(service, email, output);
    output.print(`${email} ${acts[action].outcome}.`);
    return 0;
  },
};
