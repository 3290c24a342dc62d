/**
 * Tokens of devices that signed in with the password before. Such a device has its own counter of failed attempts, so
 * that other clients cannot lock its owner out. The token replaces neither the password nor a factor. A password
 * change, a ban and a global sign-out invalidate it by changing `device_epoch`.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sql } from '@lanternrock/postgres';
import { constantTimeEqual } from '../keys/api-keys.ts';
import type { AuthContext, AuthEnv } from '../auth-context.ts';
import type { DeviceOwner } from '../users/user-writes.ts';

/** A cookie, because scripts must not read the token. Clients on other origins have none. */
const cookieName = (identifier: string): string =>
  `device-${createHash('sha256').update(identifier).digest('base64url').slice(0, 16)}`;

const ttlSeconds = 180 * 86_400;

const computeHmac = (
  { keys }: Pick<AuthContext, 'keys'>,
  { id, device_epoch: epoch }: DeviceOwner,
  device: string,
): string => keys.hmac(`${id} ${epoch} ${device}`, 'device').toString('base64url');

/** Returns the ID of a device with a valid token for this identifier. Unknown identifiers run the same statement. */
export async function readDevice(
  c: Context<AuthEnv>,
  context: AuthContext,
  identifier: string,
): Promise<string | null> {
  const [, device, hmac] =
    /^([\w-]{22})\.([\w-]{43})$/.exec(getCookie(c, cookieName(identifier)) ?? '') ?? [];
  if (device === undefined || hmac === undefined) return null;
  const [owner] = await context.database.query<DeviceOwner>(sql`select id, device_epoch from auth.users
    where (email = ${identifier} or phone = ${identifier}) and deleted_at is null`);
  return owner && constantTimeEqual(hmac, computeHmac(context, owner, device)) ? device : null;
}

/** @param device the current ID of the device, null for a new one */
export function setDevice(
  c: Context<AuthEnv>,
  context: AuthContext,
  { identifier, owner, device }: { identifier: string; owner: DeviceOwner; device: string | null },
): void {
  const id = device ?? randomBytes(16).toString('base64url');
  setCookie(c, cookieName(identifier), `${id}.${computeHmac(context, owner, id)}`, {
    path: '/auth/v1',
    httpOnly: true,
    secure: context.config.SITE_URL.startsWith('https:'),
    sameSite: 'Strict',
    maxAge: ttlSeconds,
  });
}
