/** Functions about administrators and invited users: revoke, remove, restore, reset the second factor. */
import { administratorEmailSchema, type AdministratorResponse } from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { Database, Transaction } from '@lanternrock/postgres';
import type { ClientInfo } from '../auth/auth-context.ts';
import type { AppEnv } from '../http/context.ts';
import { clientInfo } from '../http/request-context.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { removeAdministrator, restoreAdministrator, type Authorize } from '../invitations/administrators.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { readJsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

type Action = (
  email: string,
  authorize: Authorize,
  request: { readonly c: Context<AppEnv>; readonly principal: Principal },
) => Promise<void>;

/** A function with the request body `{email}` and the response `{success: true}`. */
export type AdministratorFunction = (c: Context<AppEnv>, principal: Principal) => Promise<Response>;

/** @param check runs before the body is read */
function administratorFunction(
  action: Action,
  check?: (c: Context<AppEnv>) => Promise<void>,
): AdministratorFunction {
  return async (c, principal) => {
    await check?.(c);
    const body = administratorEmailSchema.safeParse(await readJsonBody(c));
    if (!body.success) throw new ApiError(400, 'validation_failed', 'Invalid email address');
    const authorize = (tx: Transaction): Promise<void> =>
      requirePlatformAdmin(tx, principal, c.get('requestId'));
    await action(body.data.email, authorize, { c, principal });
    const response: AdministratorResponse = { success: true };
    return c.json(response);
  };
}

/** The subset of the Auth API that these functions use. */
export interface FactorActions {
  /** @throws ApiError 400 `reauthentication_needed` */
  requireFresh(
    request: { readonly headers: Headers; readonly client: ClientInfo },
    change: string,
  ): Promise<void>;
  resetFactors(reset: {
    readonly email: string;
    readonly actorId: string | null;
    readonly authorize: Authorize;
    readonly requestId: string;
    readonly ip: string;
  }): Promise<void>;
}

export const administratorFunctions = (
  database: Database,
  invitations: Invitations,
  auth: FactorActions,
): Readonly<Record<string, AdministratorFunction>> => ({
  'revoke-user-invitation': administratorFunction(async (email, authorize) => {
    if (await invitations.revoke(email, authorize)) return;
    throw new ApiError(404, 'no_open_invitation', `There is no open invitation for ${email}.`);
  }),
  'remove-administrator': administratorFunction((email, authorize) =>
    removeAdministrator(database, email, authorize),
  ),
  'restore-administrator': administratorFunction((email, authorize) =>
    restoreAdministrator(database, email, authorize),
  ),
  'reset-administrator-factors': administratorFunction(
    (email, authorize, { c, principal: { userId } }) =>
      auth.resetFactors({
        email,
        actorId: userId,
        authorize,
        requestId: c.get('requestId'),
        ip: c.get('clientIp') ?? '',
      }),
    (c) =>
      auth.requireFresh({ headers: c.req.raw.headers, client: clientInfo(c) }, 'Removing a second factor'),
  ),
});
