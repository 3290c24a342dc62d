/** Connects the Auth API to the outbox, and adds the name of the recipient to its emails. */
import { type Transaction, sql } from '@lanternrock/postgres';
import type { AuthMailer } from '@lanternrock/auth/ports';
import type { EmailJob } from './email-job.ts';
import type { Outbox } from './outbox.ts';

/** Emails about a password address the user by name. The lookup also runs for decoys, so that its time reveals nothing. */
export const createAuthMailer = (outbox: Pick<Outbox, 'enqueue' | 'wake'>): AuthMailer => ({
  async enqueue(tx, { reference, ...email }) {
    if (email.kind !== 'recovery' && reference === undefined) return outbox.enqueue(tx, email);
    const fullName = await findFullName(tx, email.userId ?? null);
    const data = { ...email.data, ...(fullName ? { fullName } : {}) };
    const inviter = { kind: 'recipient', name: null } as const;
    // The invitation of a member names the account.
    const invitation =
      'account' in data
        ? { kind: 'member_invitation', memberInvitationId: reference ?? null }
        : { invitationId: reference ?? null };
    const job = { ...email, ...invitation, data };
    // The compiler does not see that the values still belong to the kind.
    await outbox.enqueue(tx, (reference === undefined ? job : { ...job, inviter }) as EmailJob);
  },
  wake: () => outbox.wake(),
});

async function findFullName(tx: Transaction, userId: string | null): Promise<string | null> {
  const [profile] = await tx.query<{ full_name: string | null }>(
    sql`select private.display_name(full_name, null) as full_name from public.profiles where id = ${userId}::uuid`,
  );
  return profile?.full_name ?? null;
}
