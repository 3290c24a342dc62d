import { slugFromName } from '@lanternrock/contract/slug';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { parseArguments } from '../parse-arguments.ts';
import type { Command, CommandIO } from '../command.ts';
import { setCommandOrigin } from '../audit-origin.ts';

const accounts = [
  ['Vail Ski Patrol', 'organization', 'Vail', 'CO'],
  ['Harbor Master Rotterdam', 'enterprise', 'Rotterdam', null],
  ['Zermatt Bergrettung', 'organization', 'Zermatt', 'VS'],
  ['Cornwall Surf Lifeguards', 'organization', 'Newquay', 'Cornwall'],
  ['Yosemite Park Service', 'enterprise', 'El Portal', 'CA'],
  ['Metro Event Medical', 'enterprise', 'Chicago', 'IL'],
  ['North Shore Search & Rescue', 'organization', 'North Vancouver', 'BC'],
  ['Bondi Lifeguard Service', 'organization', 'Bondi Beach', 'NSW'],
  ['Port of Tromsø', 'enterprise', 'Tromsø', null],
  ['Lake District Mountain Rescue', 'organization', 'Ambleside', 'Cumbria'],
  ['Stadium Medics United', 'enterprise', 'Munich', 'BY'],
  ['Alpine Air Rescue', 'enterprise', null, null],
] as const;

const invitations = [
  ['Robin Hart', 'robin.hart@example.org', 'pending', 5],
  ['Mika Lindqvist', 'mika.lindqvist@example.org', 'revoked', -2],
  ['Jo Ferreira', 'jo.ferreira@example.org', 'pending', -1],
] as const;

/** Adds sample data. Returns false and changes nothing if there are accounts. */
async function fill(tx: Transaction, io: CommandIO): Promise<boolean> {
  await setCommandOrigin(io)(tx);
  const existing = await tx.query(sql`select from public.accounts limit 1`);
  if (existing.length > 0) return false;
  for (const [index, [name, type, city, state]] of accounts.entries()) {
    await tx.query(
      sql`insert into public.accounts (name, slug, account_type, city, state, created_at)
          values (${name}, ${slugFromName(name)}, ${type}, ${city}, ${state}, now() - make_interval(days => ${index * 3}))`,
    );
  }
  for (const [index, [name, email, status, days]] of invitations.entries()) {
    await tx.query(
      sql`insert into public.user_invitations (full_name, email, status, invited_at, expires_at)
          values (${name}, ${email}, ${status}, now() - make_interval(days => ${index + 2}), now() + make_interval(days => ${days}))`,
    );
  }
  return true;
}

export const demoCommand: Command = {
  name: 'demo',
  usage: '',
  description: 'Add sample accounts and invitations to an empty instance.',
  parse(args) {
    parseArguments(args, {}, 0);
    return { requires: 'current-schema', run: ({ database }, io) => addSampleData(database, io) };
  },
};

/** @returns the exit code */
export async function addSampleData(database: Database, io: CommandIO): Promise<number> {
  const filled = await database.transaction((tx) => fill(tx, io));
  io.print(
    filled
      ? `Added ${accounts.length} sample accounts and ${invitations.length} invitations.`
      : 'Accounts already exist. Nothing was added.',
  );
  if (filled && !io.inService)
    io.print('Run "lanternrock start". Without an administrator, it prints the link for the first one.');
  return 0;
}
