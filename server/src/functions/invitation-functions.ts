/** Functions about one invitation: what became of it, and its link where no mail brings it. */
import {
  administratorSchema,
  invitationIdSchema,
  type InvitationLinkAnswer,
  type UnsentInvitations,
} from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { readHistory } from '../invitations/invitation-history.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { readUnsent } from '../invitations/unsent-invitations.ts';
import { jsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

export interface HistoryParts {
  readonly config: Config;
  readonly database: Database;
  readonly now: () => Date;
}

/** A function and no view: requests keep no grant at all on the table of mails. */
export async function invitationHistory(
  c: Context<AppEnv>,
  identity: Identity,
  { config, database, now }: HistoryParts,
): Promise<Response> {
  const body = invitationIdSchema.safeParse(await jsonBody(c));
  if (!body.success) throw new Refusal(400, 'validation_failed', 'Invalid invitation');
  const history = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, identity, c.get('requestId'));
    return readHistory(tx, config, { id: body.data.invitation_id, now: now() });
  });
  if (!history) throw new Refusal(404, 'no_invitation', 'There is no such invitation.');
  return c.json(history, 200, { 'Cache-Control': 'no-store' });
}

export async function unsentInvitations(
  c: Context<AppEnv>,
  identity: Identity,
  { database, now }: HistoryParts,
): Promise<Response> {
  const invitations = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, identity, c.get('requestId'));
    return readUnsent(tx, now());
  });
  const body: UnsentInvitations = { invitations };
  return c.json(body, 200, { 'Cache-Control': 'no-store' });
}

export async function createInvitationLink(
  c: Context<AppEnv>,
  identity: Identity,
  invitations: Invitations,
): Promise<Response> {
  const body = administratorSchema.safeParse(await jsonBody(c));
  if (!body.success) throw new Refusal(400, 'validation_failed', 'Invalid email address');
  const { link, expiresAt } = await invitations.copyLink(body.data.email, (tx) =>
    requirePlatformAdmin(tx, identity, c.get('requestId')),
  );
  const answer: InvitationLinkAnswer = { link, expires_at: expiresAt.toISOString() };
  return c.json(answer, 200, { 'Cache-Control': 'no-store' });
}
