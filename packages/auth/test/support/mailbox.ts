/** Captures the emails of the Auth API in a table, so that they are part of its transactions. */
import { type Database, sql } from '@lanternrock/postgres';
import type { AuthEmail, AuthMailer } from '../../src/ports.ts';

export interface Mailbox {
  readonly mailer: AuthMailer;
  /** Returns the emails, oldest first. */
  emails(): Promise<AuthEmail[]>;
  emailsTo(address: string): Promise<AuthEmail[]>;
  /** Returns the links in the emails to an address, oldest first. */
  linksTo(address: string): Promise<URL[]>;
}

export async function createMailbox(database: Database): Promise<Mailbox> {
  await database.maintenance((tx) =>
    database.script(
      tx,
      'create schema mailbox; create table mailbox.emails (id bigint generated always as identity, email jsonb not null)',
    ),
  );
  const emails: Mailbox['emails'] = async () => {
    const rows = await database.query<{ email: AuthEmail }>(
      sql`select email from mailbox.emails order by id`,
    );
    return rows.map(({ email }) => email);
  };
  const emailsTo: Mailbox['emailsTo'] = async (address) =>
    (await emails()).filter(({ to }) => to === address);
  return {
    mailer: {
      // A decoy runs the same statement and stores nothing.
      enqueue: async (tx, { decoy = false, ...email }) => {
        await tx.query(
          sql`insert into mailbox.emails (email) select ${JSON.stringify(email)}::jsonb where not ${decoy}::boolean`,
        );
      },
      wake: () => {},
    },
    emails,
    emailsTo,
    linksTo: async (address) =>
      (await emailsTo(address)).flatMap(({ link }) => (link ? [new URL(link)] : [])),
  };
}
