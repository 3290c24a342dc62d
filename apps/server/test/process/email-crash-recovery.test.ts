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
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { setUpAdministrator, readAnonKey, signInAsAdministrator, type ApiClient } from './api-client.ts';

interface Invitee {
  readonly email: string;
  readonly full_name: string;
}
const abandoned =
  'The service stopped or lost the database before it stored the response of the mail server.';

describe.each(['embedded', 'postgres'] as const)('kill -9 during an invitation (%s)', (engine) => {
  let postgres: PostgresServer | null = null;
  let mailServer: MailServer;
  let dataDir: string;
  let instance: Instance;
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
    instance = await startInstance({ dataDir, environment });
    await setUpAdministrator(instance);
    // The security notice about the new password is sent first.
    await mailServer.arrived(1);
  }, 120_000);
  afterAll(async () => {
    await instance.kill();
    await mailServer.close();
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    mailServer.messages.length = 0;
  });

  const post = (client: ApiClient, name: string, body: unknown): Promise<Response> =>
    client.call(`/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const restart = async (): Promise<ApiClient> => {
    await instance.kill('SIGKILL');
    mailServer.behavior = { kind: 'accept' };
    // With other replicas running, the lease of the killed process must expire first.
    if (environment['DATABASE_URL']) await endLease(environment['DATABASE_URL']);
    instance = await startInstance({ dataDir, environment });
    return signInAsAdministrator(instance);
  };
  const row = async (client: ApiClient, { email }: Invitee): Promise<Record<string, unknown>> => {
    const response = await client.call(`/rest/v1/user_invitations?select=*&email=eq.${email}`);
    const rows = (await response.json()) as Record<string, unknown>[];
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  };
  const history = async (client: ApiClient, id: unknown): Promise<InvitationHistory> =>
    (await (await post(client, 'invitation-history', { invitation_id: id })).json()) as InvitationHistory;
  const waitForResult = (client: ApiClient, id: unknown): Promise<void> =>
    expect
      .poll(async () => (await history(client, id)).mails.map(({ status, answer }) => [status, answer]), {
        timeout: 20_000,
      })
      .toEqual([['timed_out', abandoned]]);
  const opens = async (raw: string | undefined): Promise<number> => {
    const { text } = await PostalMime.parse(raw ?? '');
    const token_hash = /token_hash=([\w-]{43})/.exec(text ?? '')?.[1];
    const response = await fetch(`${instance.url}/auth/v1/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: await readAnonKey(instance) },
      body: JSON.stringify({ type: 'invite', token_hash }),
    });
    return response.status;
  };
  const resendWorks = async (client: ApiClient, invitee: Invitee): Promise<void> => {
    const response = await post(client, 'send-user-invitation', invitee);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ success: true }),
    ]);
    const { id, send_count: count } = await row(client, invitee);
    expect(count).toBe(1);
    expect((await history(client, id)).mails.map(({ status }) => status)).toEqual([
      'handed_over',
      'timed_out',
    ]);
  };

  it(
    'between record and email: the record stays, nothing was emailed, and a resend works',
    { tags: ['REL-03', 'REL-08', 'X13'] },
    async () => {
      const invitee = { email: 'ann@example.org', full_name: 'Ann Lee' };
      mailServer.behavior = { kind: 'hold recipient' };
      const held = mailServer.held();
      const call = post(await signInAsAdministrator(instance), 'send-user-invitation', invitee).catch(
        (error: unknown) => error,
      );
      await held;
      const client = await restart();
      expect(await call).toBeInstanceOf(Error);
      const { id, ...invitation } = await row(client, invitee);
      expect(invitation).toMatchObject({ ...invitee, status: 'pending', send_count: 0, last_sent_at: null });
      await waitForResult(client, id);
      expect((await history(client, id)).link_allowed).toBe(true);
      expect(await (await post(client, 'unsent-invitations', {})).json()).toEqual({
        invitations: [{ id, ...invitee, status: 'timed_out', answer: abandoned }],
      });
      expect(mailServer.messages).toHaveLength(0);
      await resendWorks(client, invitee);
      expect(mailServer.messages).toHaveLength(1);
      expect(await opens(mailServer.messages[0]?.raw)).toBe(200);
    },
  );

  it(
    'between email and result: the result is unknown, and both links work',
    { tags: ['REL-03', 'REL-08', 'X13'] },
    async () => {
      const invitee = { email: 'bo@example.org', full_name: 'Bo Ek' };
      mailServer.behavior = { kind: 'no response' };
      const call = post(await signInAsAdministrator(instance), 'send-user-invitation', invitee).catch(
        (error: unknown) => error,
      );
      await mailServer.arrived(1);
      const client = await restart();
      expect(await call).toBeInstanceOf(Error);
      const { id, ...invitation } = await row(client, invitee);
      expect(invitation).toMatchObject({ status: 'pending', send_count: 0, last_sent_at: null });
      await waitForResult(client, id);
      // The service does not resend it without the administrator.
      expect(mailServer.messages).toHaveLength(1);
      await resendWorks(client, invitee);
      expect(mailServer.messages).toHaveLength(2);
      for (const { raw } of mailServer.messages) expect(await opens(raw)).toBe(200);
    },
  );
});

/** Expires the lease. */
async function endLease(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`update private.deliveries set lease_until = now() where status = 'waiting'`);
  await client.end();
}
