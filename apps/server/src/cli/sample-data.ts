/** The invented data of a demonstration. The email addresses belong to a domain that is reserved for examples. */
import { slugFromName } from '@lanternrock/contract/slug';
import { findInvitableUser, prepareInvited } from '@lanternrock/auth/users';
import { type Transaction, sql } from '@lanternrock/postgres';
import { createDatabaseClock } from '@lanternrock/postgres/clock';
import { setAccountStatus } from '../accounts/account-status.ts';
import { markDemonstration } from '../database/demonstration.ts';

const suspendedAccount = 'Stadium Medics United';

/** Newest first. */
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
  [suspendedAccount, 'enterprise', 'Munich', 'BY'],
  ['Alpine Air Rescue', 'enterprise', null, null],
] as const;

interface SampleMember {
  readonly name: string;
  readonly email: string;
  /** Accounts with the status of the membership. */
  readonly accounts: Readonly<Record<string, 'active' | 'suspended'>>;
}

const members: readonly SampleMember[] = [
  {
    name: 'Dana Whitfield',
    email: 'dana.whitfield@example.org',
    accounts: { 'Vail Ski Patrol': 'active', 'Bondi Lifeguard Service': 'active' },
  },
  {
    name: 'Luca Moretti',
    email: 'luca.moretti@example.org',
    accounts: { 'Vail Ski Patrol': 'active', 'Zermatt Bergrettung': 'active' },
  },
  {
    name: 'Sam Okafor',
    email: 'sam.okafor@example.org',
    accounts: { 'Vail Ski Patrol': 'suspended' },
  },
  {
    name: 'Femke de Vries',
    email: 'femke.devries@example.org',
    accounts: { 'Harbor Master Rotterdam': 'active' },
  },
  {
    name: 'Priya Nair',
    email: 'priya.nair@example.org',
    accounts: { 'North Shore Search & Rescue': 'active' },
  },
  {
    name: 'Nora Albrecht',
    email: 'nora.albrecht@example.org',
    accounts: { [suspendedAccount]: 'active' },
  },
];

/** Name, email, status and days until the link expires. Jo's invitation is pending and past its expiry: expired. */
const invitations = [
  ['Robin Hart', 'robin.hart@example.org', 'pending', 5],
  ['Mika Lindqvist', 'mika.lindqvist@example.org', 'revoked', -2],
  ['Jo Ferreira', 'jo.ferreira@example.org', 'pending', -1],
] as const;

/** Numbers of what `fillDemonstration` adds. */
export const sampleCounts = {
  accounts: accounts.length,
  members: members.length,
  invitations: invitations.length,
} as const;

/**
 * Adds sample data and marks the instance as a demonstration. Call it in a transaction that names the actor. Returns false and
 * changes nothing if there are accounts.
 */
export async function fillDemonstration(tx: Transaction): Promise<boolean> {
  const existing = await tx.query(sql`select from public.accounts limit 1`);
  if (existing.length > 0) return false;
  const accountIds = await addAccounts(tx);
  await addMembers(tx, accountIds);
  // After the members: members of a suspended account keep their access to it.
  await suspendAccount(tx, accountIds.get(suspendedAccount) ?? '');
  await addInvitations(tx);
  await markDemonstration(tx);
  return true;
}

async function addAccounts(tx: Transaction): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, [name, type, city, state]] of accounts.entries()) {
    const [row] = await tx.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type, city, state, created_at)
          values (${name}, ${slugFromName(name)}, ${type}, ${city}, ${state}, now() - make_interval(days => ${index * 3}))
          returning id`,
    );
    ids.set(name, row?.id ?? '');
  }
  return ids;
}

/** Adds users without a password: no sign-in as one of them is possible without an email to its address. */
async function addMembers(tx: Transaction, accountIds: ReadonlyMap<string, string>): Promise<void> {
  const now = await createDatabaseClock().read(tx);
  for (const { name: fullName, email, accounts: statuses } of members) {
    const existing = await findInvitableUser(tx, email, now);
    const userId = existing?.id ?? (await prepareInvited(tx, null, { email, fullName, now }));
    for (const [account, status] of Object.entries(statuses)) {
      await tx.query(sql`insert into public.account_members (account_id, user_id, status)
        values (${accountIds.get(account) ?? ''}, ${userId}, ${status})`);
    }
  }
}

const suspendAccount = async (tx: Transaction, accountId: string): Promise<unknown> =>
  setAccountStatus(tx, {
    accountId,
    status: 'suspended',
    reason: 'The contract has ended. A new one is being negotiated.',
    updatedAt: null,
    actorId: null,
  });

async function addInvitations(tx: Transaction): Promise<void> {
  for (const [index, [name, email, status, days]] of invitations.entries()) {
    await tx.query(
      sql`insert into public.user_invitations (full_name, email, status, invited_at, expires_at)
          values (${name}, ${email}, ${status}, now() - make_interval(days => ${index + 2}), now() + make_interval(days => ${days}))`,
    );
  }
}
