/**
 * Tokens of devices that signed in with the password, or verified a second factor, before. Such a device has its own
 * counter of failed attempts, so that other clients cannot lock its owner out. The token replaces neither the password
 * nor a factor. A password change, a ban and a global sign-out invalidate it by changing `device_epoch`.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sql } from '@lanternrock/postgres';
import { constantTimeEqual } from '../keys/api-keys.ts';
import type { AuthEnv } from '../client-info.ts';
import type { SessionContext } from './sessions.ts';
import type { DeviceOwner } from '../users/user-writes.ts';

/** What the device presented: the password of an identifier, or one second factor. */
interface DeviceProof {
  readonly kind: 'device' | 'factor';
  /** The identifier as in `limitAttempts`, or the ID of the factor. */
  readonly key: string;
}

/** A cookie, because scripts must not read the token. Clients on other origins have none. */
const toCookieName = ({ kind, key }: DeviceProof): string =>
  `${kind}-${createHash('sha256').update(key).digest('base64url').slice(0, 16)}`;

const ttlSeconds = 180 * 86_400;

const computeHmac = (
  { keys }: Pick<SessionContext, 'keys'>,
  { id, device_epoch: epoch }: DeviceOwner,
  { kind, key }: DeviceProof,
  device: string,
): string => {
  // Bound to the factor: a client that had one factor of the user must not get more attempts at another one.
  const factor = kind === 'factor' ? ` ${key}` : '';
  return keys.hmac(`${id} ${epoch} ${device}${factor}`, kind).toString('base64url');
};

const readCookie = (c: Context<AuthEnv>, proof: DeviceProof): { device: string; hmac: string } | null => {
  const [, device, hmac] = /^([\w-]{22})\.([\w-]{43})$/.exec(getCookie(c, toCookieName(proof)) ?? '') ?? [];
  return device === undefined || hmac === undefined ? null : { device, hmac };
};

/** Returns the ID of a device with a valid token for this identifier. Unknown identifiers run the same statement. */
export async function readDevice(
  c: Context<AuthEnv>,
  context: SessionContext,
  identifier: string,
): Promise<string | null> {
  const proof = { kind: 'device', key: identifier } as const;
  const cookie = readCookie(c, proof);
  if (!cookie) return null;
  const [owner] = await context.database.query<DeviceOwner>(sql`select id, device_epoch from auth.users
    where (email = ${identifier} or phone = ${identifier}) and deleted_at is null`);
  const isValid = owner && constantTimeEqual(cookie.hmac, computeHmac(context, owner, proof, cookie.device));
  return isValid ? cookie.device : null;
}

/** Returns the ID of a device that verified this factor of the user before. */
export async function readFactorDevice(
  c: Context<AuthEnv>,
  context: SessionContext,
  { userId, factorId }: { readonly userId: string; readonly factorId: string },
): Promise<string | null> {
  const proof = { kind: 'factor', key: factorId } as const;
  const cookie = readCookie(c, proof);
  const owner = cookie && (await findOwner(context, userId));
  const isValid = owner && constantTimeEqual(cookie.hmac, computeHmac(context, owner, proof, cookie.device));
  return isValid ? cookie.device : null;
}

async function findOwner({ database }: SessionContext, userId: string): Promise<DeviceOwner | null> {
  const [owner] = await database.query<DeviceOwner>(
    sql`select id, device_epoch from auth.users where id = ${userId} and deleted_at is null`,
  );
  return owner ?? null;
}

/** @param device the current ID of the device, null for a new one */
export function setDevice(
  c: Context<AuthEnv>,
  context: SessionContext,
  { proof, owner, device }: { proof: DeviceProof; owner: DeviceOwner; device: string | null },
): void {
  const id = device ?? randomBytes(16).toString('base64url');
  setCookie(c, toCookieName(proof), `${id}.${computeHmac(context, owner, proof, id)}`, {
    path: '/auth/v1',
    httpOnly: true,
    secure: context.config.SITE_URL.startsWith('https:'),
    sameSite: 'Strict',
    maxAge: ttlSeconds,
  });
}

/** Call it after the factor was verified. */
export async function setFactorDevice(
  c: Context<AuthEnv>,
  context: SessionContext,
  { userId, factorId, device }: { userId: string; factorId: string; device: string | null },
): Promise<void> {
  const owner = await findOwner(context, userId);
  if (owner) setDevice(c, context, { proof: { kind: 'factor', key: factorId }, owner, device });
}
