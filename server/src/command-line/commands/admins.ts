import type { Transaction } from '../../database/database.ts';
import { DatabaseFailure } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command, Output } from '../command.ts';

interface Person {
  readonly id: string;
  readonly email: string;
}

async function findPerson(tx: Transaction, email: string | undefined): Promise<Person> {
  if (email === undefined) throw new UsageProblem('Name the e-mail address.');
  const [person] = await tx.query<Person>(
    sql`select id, email from auth.users where email = lower(trim(${email})) and deleted_at is null`,
  );
  if (!person) throw new UsageProblem(`Nobody has the address ${email}.`);
  return person;
}

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
    output.line(`${email.padEnd(36)} ${(name ?? '').padEnd(24)} ${banned ? 'banned' : last}`);
  }
  if (rows.length === 0) output.line('There is no administrator. lanternrock invite EMAIL --name NAME makes one.');
}

/** Role gone, banned, every session ended: the three belong together, in one transaction. */
async function remove(tx: Transaction, { id }: Person): Promise<void> {
  await tx.query(sql`delete from public.user_roles where user_id = ${id} and role = 'platform_admin'`);
  await tx.query(sql`update auth.users set banned_until = 'infinity', updated_at = now() where id = ${id}`);
  await tx.query(sql`delete from auth.sessions where user_id = ${id}`);
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${id}`);
}

async function restore(tx: Transaction, { id }: Person): Promise<void> {
  await tx.query(sql`update auth.users set banned_until = null, updated_at = now() where id = ${id}`);
  await tx.query(
    sql`insert into public.user_roles (user_id, role) values (${id}, 'platform_admin') on conflict do nothing`,
  );
}

export const adminsCommand: Command = {
  name: 'admins',
  usage: 'list | remove|restore|sign-out EMAIL',
  about: 'Lists, removes and restores administrators, or ends all their sessions.',
  async run({ database }, args, output) {
    const { positionals } = readArguments(args, {});
    const [action, email] = positionals;
    try {
      await database.transaction(async (tx) => {
        if (action === 'list') return list(tx, output);
        if (action !== 'remove' && action !== 'restore' && action !== 'sign-out') {
          throw new UsageProblem('Say list, remove, restore or sign-out.');
        }
        const person = await findPerson(tx, email);
        if (action === 'remove') await remove(tx, person);
        else if (action === 'restore') await restore(tx, person);
        else await tx.query(sql`delete from auth.sessions where user_id = ${person.id}`);
        const done = { remove: 'is removed', restore: 'is an administrator again', 'sign-out': 'is signed out everywhere' };
        output.line(`${person.email} ${done[action]}.`);
      });
      return 0;
    } catch (error) {
      // The database keeps the last administrator.
      if (!(error instanceof DatabaseFailure)) throw error;
      output.problem(`${error.message}. ${error.hint ?? ''}`.trim());
      return 1;
    }
  },
};
