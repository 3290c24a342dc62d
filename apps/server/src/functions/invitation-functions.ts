/** Functions about invitations: history, unsent invitations, and a link if no email delivers it. */
import {
  administratorEmailSchema,
  invitationIdSchema,
  type InvitationLinkResponse,
  type UnsentInvitations,
} from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { readInvitationHistory } from '../invitations/invitation-history.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { readUnsent } from '../invitations/unsent-invitations.ts';
import { readJsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

export interface HistoryOptions {
  readonly config: Config;
  readonly database: Database;
  readonly now: () => Date;
}

/** A function instead of a view, so that API roles need no grant on the delivery table. */
export async function getInvitationHistory(
  c: Context<AppEnv>,
  principal: Principal,
  { config, database, now }: HistoryOptions,
): Promise<Response> {
  const body = invitationIdSchema.safeParse(await readJsonBody(c));
  if (!body.success) throw new ApiError(400, 'validation_failed', 'Invalid invitation');
  const history = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, principal, c.get('requestId'));
    return readInvitationHistory(tx, config, { id: body.data.invitation_id, now: now() });
  });
  if (!history) throw new ApiError(404, 'no_invitation', 'Invitation not found.');
  return c.json(history, 200, { 'Cache-Control': 'no-store' });
}

export async function unsentInvitations(
  c: Context<AppEnv>,
  principal: Principal,
  { database, now }: HistoryOptions,
): Promise<Response> {
  const invitations = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, principal, c.get('requestId'));
    return readUnsent(tx, now());
  });
  const body: UnsentInvitations = { invitations };
  return c.json(body, 200, { 'Cache-Control': 'no-store' });
}

export async function createInvitationLink(
  c: Context<AppEnv>,
  principal: Principal,
  invitations: Invitations,
): Promise<Response> {
  const body = administratorEmailSchema.safeParse(await readJsonBody(c));
  if (!body.success) throw new ApiError(400, 'validation_failed', 'Invalid email address');
  const { link, expiresAt } = await invitations.createReplacementLink(body.data.email, (tx) =>
    requirePlatformAdmin(tx, principal, c.get('requestId')),
  );
  const response: InvitationLinkResponse = { link, expires_at: expiresAt.toISOString() };
  return c.json(response, 200, { 'Cache-Control': 'no-store' });
}
