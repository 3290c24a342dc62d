/** Functions about people who are administrators or were invited: revoke, remove, restore. */
import { administratorSchema, type AdministratorAnswer } from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { removeAdministrator, restoreAdministrator, type Authorize } from '../invitations/administrators.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { jsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

type Act = (email: string, authorize: Authorize) => Promise<void>;

/** A function of the shape `{email}` in, `{success: true}` out. */
export type AdministratorFunction = (c: Context<AppEnv>, identity: Identity) => Promise<Response>;

function administratorFunction(act: Act): AdministratorFunction {
  return async (c, identity) => {
    const body = administratorSchema.safeParse(await jsonBody(c));
    if (!body.success) throw new Refusal(400, 'validation_failed', 'Invalid email address');
    await act(body.data.email, (tx) => requirePlatformAdmin(tx, identity, c.get('requestId')));
    const answer: AdministratorAnswer = { success: true };
    return c.json(answer);
  };
}

export const administratorFunctions = (
  database: Database,
  invitations: Invitations,
): Readonly<Record<string, AdministratorFunction>> => ({
  'revoke-user-invitation': administratorFunction(async (email, authorize) => {
    if (await invitations.revoke(email, authorize)) return;
    throw new Refusal(404, 'no_open_invitation', `There is no open invitation for ${email}.`);
  }),
  'remove-administrator': administratorFunction((email, authorize) =>
    removeAdministrator(database, email, authorize),
  ),
  'restore-administrator': administratorFunction((email, authorize) =>
    restoreAdministrator(database, email, authorize),
  ),
});
