/**
 * Kills the built service between the invitation record and its email, and between the email and its result.
 * The mail server of the test determines the moment by delaying its response.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { InvitationHistory } from '@lanternrock/contract/invitations';
import pg from 'pg';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { setUpAdministrator, readAnonKey, signInAsAdministrator, type Caller } from './api-client.ts';

interface Person {
  readonly email: string;
  readonly full_name: string;
}
const abandoned = 'The service stopped before the mail server responded.';

describe.each(['embedded', 'postgres'] as const)('kill -9 during an invitation (%s)', (engine) => {
  let postgres: PostgresServer | null = null;
  let mailServer: MailServer;
  let dataDir: string;
  let product: Instance;
  let environment: Record<string, string>;

  beforeAll(async () => {
    postgres = engine === 'postgres' ? await startPostgres() : null;
    mailServer = await startMailServer();
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-killed-mail-'));
    environment = {
      SMTP_URL: mailServer.url,
      ...(postgres
        ? { DATABASE_URL: postgres.databaseUrl, SECRETS_KEY: randomBytes(32).toString('base64url') }
        : {}),
    };
    product = await startInstance({ dataDir, environment });
    await setUpAdministrator(product);
    // The security notice about the new password is sent first.
    await mailServer.arrived(1);
  }, 120_000);
  afterAll(async () => {
    await product.kill();
    await mailServer.close();
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    mailServer.taken.length = 0;
  });

  const post = (caller: Caller, name: string, body: unknown): Promise<Response> =>
    caller.call(`/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const restart = async (): Promise<Caller> => {
    await product.kill('SIGKILL');
    mailServer.mood = { kind: 'take' };
    // With other replicas running, the lease of the killed process must expire first.
    if (environment['DATABASE_URL']) await endLease(environment['DATABASE_URL']);
    product = await startInstance({ dataDir, environment });
    return signInAsAdministrator(product);
  };
  const row = async (caller: Caller, { email }: Person): Promise<Record<string, unknown>> => {
    const answer = await caller.call(`/rest/v1/user_invitations?select=*&email=eq.${email}`);
    const rows = (await answer.json()) as Record<string, unknown>[];
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  };
  const history = async (caller: Caller, id: unknown): Promise<InvitationHistory> =>
    (await (await post(caller, 'invitation-history', { invitation_id: id })).json()) as InvitationHistory;
  const settled = (caller: Caller, id: unknown): Promise<void> =>
    expect
      .poll(async () => (await history(caller, id)).mails.map(({ status, answer }) => [status, answer]), {
        timeout: 20_000,
      })
      .toEqual([['timed_out', abandoned]]);
  const opens = async (raw: string | undefined): Promise<number> => {
    const { text } = await PostalMime.parse(raw ?? '');
    const token_hash = /token_hash=([\w-]{43})/.exec(text ?? '')?.[1];
    const answer = await fetch(`${product.url}/auth/v1/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: await readAnonKey(product) },
      body: JSON.stringify({ type: 'invite', token_hash }),
    });
    return answer.status;
  };
  const resendWorks = async (caller: Caller, person: Person): Promise<void> => {
    const answer = await post(caller, 'send-user-invitation', person);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })]);
    const { id, send_count: count } = await row(caller, person);
    expect(count).toBe(1);
    expect((await history(caller, id)).mails.map(({ status }) => status)).toEqual([
      'handed_over',
      'timed_out',
    ]);
  };

  it('REL-03 REL-08 X13 between record and email: the record stays, nothing was emailed, and a resend works', async () => {
    const person = { email: 'ann@example.org', full_name: 'Ann Lee' };
    mailServer.mood = { kind: 'hold recipient' };
    const held = mailServer.held();
    const call = post(await signInAsAdministrator(product), 'send-user-invitation', person).catch(
      (error: unknown) => error,
    );
    await held;
    const caller = await restart();
    expect(await call).toBeInstanceOf(Error);
    const { id, ...invitation } = await row(caller, person);
    expect(invitation).toMatchObject({ ...person, status: 'pending', send_count: 0, last_sent_at: null });
    await settled(caller, id);
    expect((await history(caller, id)).link_allowed).toBe(true);
    expect(await (await post(caller, 'unsent-invitations', {})).json()).toEqual({
      invitations: [{ id, ...person, answer: abandoned }],
    });
    expect(mailServer.taken).toHaveLength(0);
    await resendWorks(caller, person);
    expect(mailServer.taken).toHaveLength(1);
    expect(await opens(mailServer.taken[0]?.raw)).toBe(200);
  });

  it('REL-03 REL-08 X13 between email and result: the result is unknown, and both links work', async () => {
    const person = { email: 'bo@example.org', full_name: 'Bo Ek' };
    mailServer.mood = { kind: 'silent' };
    const call = post(await signInAsAdministrator(product), 'send-user-invitation', person).catch(
      (error: unknown) => error,
    );
    await mailServer.arrived(1);
    const caller = await restart();
    expect(await call).toBeInstanceOf(Error);
    const { id, ...invitation } = await row(caller, person);
    expect(invitation).toMatchObject({ status: 'pending', send_count: 0, last_sent_at: null });
    await settled(caller, id);
    // The service does not resend it without the administrator.
    expect(mailServer.taken).toHaveLength(1);
    await resendWorks(caller, person);
    expect(mailServer.taken).toHaveLength(2);
    for (const { raw } of mailServer.taken) expect(await opens(raw)).toBe(200);
  });
});

/** Expires the lease. */
async function endLease(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`update private.deliveries set lease_until = now() where status = 'waiting'`);
  await client.end();
}
