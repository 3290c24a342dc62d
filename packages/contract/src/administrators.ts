/** Input and responses of the functions about administrators: their access, its end, and their second factors. */
import * as z from 'zod/mini';

const userIdField = z.uuid({ error: 'Invalid user' });

/** Body of `administrator-details`. */
export const administratorIdSchema = z.object({ user_id: userIdField });

/** Body of `set-administrator-end`. */
export const administratorEndSchema = z.object({
  user_id: userIdField,
  /** RFC 3339; null removes the end. */
  ends_at: z.nullable(z.iso.datetime({ offset: true, error: 'Invalid time' })),
});

/** Body of `end-administrator-sessions`. */
export const administratorSessionsSchema = z.object({
  user_id: userIdField,
  /** Null ends all sessions, except that of the caller. */
  session_id: z.nullable(z.uuid({ error: 'Invalid session' })),
});

export type AdministratorStatus = 'active' | 'ended' | 'banned';

/** A user with the role, also an ended one. Times are RFC 3339. */
export interface Administrator {
  readonly user_id: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly status: AdministratorStatus;
  readonly ends_at: string | null;
  /** ID of the invitation; null for an administrator who never had one. */
  readonly invitation_id: string | null;
  /** Has a verified factor. */
  readonly second_factor: boolean;
  /** Has a passkey that counts as two factors at sign-in. */
  readonly passkey: boolean;
}

/** Response of `administrators` with status 200. */
export interface AdministratorsResponse {
  /** By name. */
  readonly administrators: readonly Administrator[];
}

export interface AdministratorSession {
  readonly id: string;
  readonly created_at: string;
  /** Last refresh of its tokens; null before the first one. */
  readonly renewed_at: string | null;
  readonly user_agent: string | null;
  /** For example `203.0.113.0/24`. */
  readonly network: string | null;
  readonly current: boolean;
}

/** Response of `administrator-details` with status 200. */
export interface AdministratorDetails extends Administrator {
  readonly since: string;
  /** Name or email address of the administrator who gave the role; null for the command line. */
  readonly granted_by: string | null;
  readonly last_sign_in_at: string | null;
  /** Most recently used first, at most 100. */
  readonly sessions: readonly AdministratorSession[];
  /** The caller. */
  readonly is_self: boolean;
}

/** Response of `end-administrator-sessions` with status 200. */
export interface EndedSessionsResponse {
  readonly ended: number;
}

/** Days until the requirement of a second factor takes effect. */
export const gracePeriodDays = { minimum: 0, maximum: 30, default: 7 } as const;

/** Body of `set-second-factor-requirement`. */
export const secondFactorRequirementSchema = z.object({
  required: z.boolean(),
  grace_days: z._default(
    z
      .int({ error: 'The grace period must be a whole number of days' })
      .check(
        z.gte(gracePeriodDays.minimum, { error: 'The grace period must be 0 to 30 days' }),
        z.lte(gracePeriodDays.maximum, { error: 'The grace period must be 0 to 30 days' }),
      ),
    gracePeriodDays.default,
  ),
});

/** Response of `second-factor-requirement`, for every signed-in user, and of `set-second-factor-requirement`. */
export interface SecondFactorRequirement {
  /** End of the grace period; null while none is required, and for users without the role. */
  readonly due_at: string | null;
  /** The user has a verified factor. */
  readonly second_factor: boolean;
  /** The user has a passkey that counts as two factors at sign-in. */
  readonly passkey: boolean;
  /** The session meets the requirement: at AAL2, by a verified factor or by a passkey. */
  readonly met: boolean;
  /** The user has no rights until they set up or verify a second factor, or sign in with their passkey. */
  readonly blocked: boolean;
}
