/**
 * State machine of an invitation, compared with the real service after each command. In any order, no user
 * becomes an administrator without an open invitation, and no invited user gets stuck.
 */
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { sql } from '@lanternrock/postgres';
import type { MailServer } from './mail-server.ts';
import type { TestService } from './test-service.ts';
import { asService } from '../../src/administrators/email-action.ts';

export interface InvitationModel {
  record: 'none' | 'pending' | 'expired' | 'revoked' | 'accepted';
  administrator: boolean;
  links: { valid: boolean }[];
  sessions: { active: boolean; invited: boolean }[];
}

export interface InvitationSystem {
  readonly service: TestService;
  readonly mailServer: MailServer;
  readonly adminToken: string;
  readonly email: string;
  /** Tokens of emailed links, in the order of the model. */
  readonly links: string[];
  /** Access tokens, in the order of the model. */
  readonly sessions: string[];
  passwords: number;
}

type Command = fc.AsyncCommand<InvitationModel, InvitationSystem>;

export const emptyModel = (): InvitationModel => ({
  record: 'none',
  administrator: false,
  links: [],
  sessions: [],
});

const json = (body: unknown, token: string, method = 'POST'): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
  body: JSON.stringify(body),
});

const tokenIn = (raw: string): string =>
  /token_hash=([\w-]{43})/.exec(raw.replace(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';

/** Expects the stored state to equal the model. */
async function expectSameState(model: InvitationModel, { service, email }: InvitationSystem): Promise<void> {
  const rows = await service.database.query(
    sql`select (select status from public.user_invitations where email = ${email}) as status,
          (select count(*)::int from auth.users where email = ${email}) as users,
          (select count(*)::int from public.user_roles r join auth.users u on u.id = r.user_id
            where u.email = ${email}) as roles,
          (select count(*)::int from auth.sessions s join auth.users u on u.id = s.user_id
            where u.email = ${email}) as sessions`,
  );
  assert.deepEqual(rows, [
    {
      status: model.record === 'none' ? null : model.record,
      users: model.record === 'none' ? 0 : 1,
      roles: model.administrator ? 1 : 0,
      sessions: model.sessions.filter((session) => session.active).length,
    },
  ]);
}

const endLinks = (model: InvitationModel): void => {
  for (const link of model.links) link.valid = false;
};

/** Other administrators receive notices at the same time. */
const emailsTo = ({ mailServer, email }: InvitationSystem) =>
  mailServer.messages.filter(({ to }) => to.includes(email));

const invite = (emailWorks: boolean): Command => ({
  check: () => true,
  toString: () => (emailWorks ? 'invite' : 'invite while mail fails'),
  async run(model, system) {
    const { service, mailServer, adminToken, email } = system;
    // Security notices of earlier steps are sent first.
    await service.service.outbox.idle();
    mailServer.behavior = emailWorks ? { kind: 'accept' } : { kind: 'reject recipient', code: 550 };
    mailServer.messages.length = 0;
    const response = await service.request(
      '/functions/v1/send-user-invitation',
      json({ email, full_name: 'Model Person' }, adminToken),
    );
    const body = (await response.json()) as { success?: boolean; code?: string };
    if (model.administrator) {
      assert.deepEqual([response.status, body.code], [409, 'already_administrator']);
      assert.equal(emailsTo(system).length, 0);
      return expectSameState(model, system);
    }
    assert.deepEqual([response.status, body.success], [200, emailWorks]);
    model.record = 'pending';
    if (emailWorks) {
      const [message] = emailsTo(system);
      assert.ok(message);
      system.links.push(tokenIn(message.raw));
      model.links.push({ valid: true });
    }
    return expectSameState(model, system);
  },
});

const expire: Command = {
  check: (model) => model.record === 'pending',
  toString: () => 'expire',
  async run(model, system) {
    await system.service.database.query(
      sql`update private.invitations set expires_at = now() - interval '1 minute' where email = ${system.email}`,
    );
    await system.service.database.query(
      sql`update private.invitation_tokens t set expires_at = now() - interval '1 minute'
          from private.invitations i where i.id = t.invitation_id and i.email = ${system.email}`,
    );
    model.record = 'expired';
    endLinks(model);
    await expectSameState(model, system);
  },
};

const revoke: Command = {
  check: () => true,
  toString: () => 'revoke',
  async run(model, system) {
    const open = model.record === 'pending' || model.record === 'expired';
    assert.equal(
      await system.service.service.invitations.revoke({ email: system.email, authorize: asService }),
      open,
    );
    if (open) {
      model.record = 'revoked';
      endLinks(model);
      for (const session of model.sessions) if (session.invited) session.active = false;
    }
    await expectSameState(model, system);
  },
};

/** Counts from the end, where the valid ones are. */
const newest = (list: readonly unknown[], pick: number): number => list.length - 1 - (pick % list.length);

const openLink = (pick: number): Command => ({
  check: (model) => model.links.length > 0,
  toString: () => `open link ${pick}`,
  async run(model, system) {
    const index = newest(model.links, pick);
    const response = await system.service.request('/auth/v1/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: system.service.anonKey },
      body: JSON.stringify({ type: 'invite', token_hash: system.links[index] }),
    });
    const body = (await response.json()) as { access_token?: string; error_code?: string };
    if (model.links[index]?.valid) {
      assert.equal(response.status, 200, JSON.stringify(body));
      system.sessions.push(body.access_token ?? '');
      model.sessions.push({ active: true, invited: true });
    } else {
      assert.equal(response.status, 403, JSON.stringify(body));
    }
    await expectSameState(model, system);
  },
});

const setPassword = (pick: number): Command => ({
  check: (model) => model.sessions.length > 0,
  toString: () => `set password in session ${pick}`,
  async run(model, system) {
    const index = newest(model.sessions, pick);
    const session = model.sessions[index];
    assert.ok(session);
    system.passwords += 1;
    const password = `a fine passphrase ${system.passwords}`;
    const response = await system.service.request(
      '/auth/v1/user',
      json({ password }, system.sessions[index] ?? '', 'PUT'),
    );
    const accepts = session.active && session.invited && model.record === 'pending';
    if (accepts || (session.active && !session.invited)) {
      assert.equal(response.status, 200, await response.text());
      for (const other of model.sessions) if (other !== session) other.active = false;
    } else {
      assert.equal(response.status, 403, await response.text());
    }
    if (accepts) {
      model.record = 'accepted';
      model.administrator = true;
      session.invited = false;
      endLinks(model);
    }
    await expectSameState(model, system);
  },
});

const removeRole: Command = {
  check: (model) => model.administrator,
  toString: () => 'remove the role',
  async run(model, system) {
    await system.service.database.query(
      sql`delete from public.user_roles r using auth.users u where u.id = r.user_id and u.email = ${system.email}`,
    );
    model.administrator = false;
    await expectSameState(model, system);
  },
};

const often = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T>[] => [arbitrary, arbitrary, arbitrary];

/** Steps that change the state are frequent, so that the sequences reach acceptance and later states. */
export const invitationCommands = [
  ...often(fc.constant(invite(true))),
  ...often(fc.nat(3).map(openLink)),
  ...often(fc.nat(3).map(setPassword)),
  fc.constant(invite(false)),
  fc.constant(expire),
  fc.constant(revoke),
  fc.constant(removeRole),
];
