/**
 * The function `send-user-invitation` for a hosted Supabase project. Input is validated by the same schema as in the
 * service; the project sends the emails and creates the links.
 */
import { type InvitationResponse, invitationSchema } from '@lanternrock/contract/invitations';

export interface HostedProject {
  /** URL of the project, without a trailing slash. */
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** URL of the console. */
  readonly siteUrl: string;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

const errorResponse = (status: number, code: string, error: string): Response =>
  Response.json({ error, code }, { status, headers: { 'Access-Control-Allow-Origin': '*' } });

/** Returns a handler for `Deno.serve`. */
export function sendUserInvitation(project: HostedProject): (request: Request) => Promise<Response> {
  const send = async (path: string, key: string, body?: unknown): Promise<Response> =>
    (project.fetch ?? fetch)(project.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        apikey: key === project.serviceRoleKey ? key : project.anonKey,
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const asService = async (path: string, body: unknown): Promise<Response> =>
    send(path, project.serviceRoleKey, body);
  const canInvite = async (userId: string, token: string): Promise<boolean> => {
    const rows = await send(
      `/rest/v1/user_roles?select=id&user_id=eq.${userId}&role=eq.platform_admin`,
      token,
    );
    return rows.ok && ((await rows.json()) as unknown[]).length > 0;
  };

  return async (request) => {
    if (request.method === 'OPTIONS') return preflight();
    if (request.method !== 'POST')
      return errorResponse(405, 'method_not_allowed', 'Call this function with POST.');
    const token = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    const user = token ? await send('/auth/v1/user', token) : null;
    if (!token || !user?.ok) return errorResponse(401, 'not_authenticated', 'Sign in first.');
    const { id: inviter } = (await user.json()) as { id: string };
    if (!(await canInvite(inviter, token)))
      return errorResponse(403, 'not_allowed', 'This action requires a platform administrator.');
    const input = invitationSchema.safeParse(await request.json().catch(() => null));
    if (!input.success)
      return errorResponse(400, 'validation_failed', input.error.issues[0]?.message ?? 'Invalid input');

    const { email, full_name: fullName } = input.data;
    const recorded = await asService('/rest/v1/rpc/record_invitation', {
      invited_email: email,
      invited_name: fullName,
      inviter,
    });
    if (recorded.status === 409)
      return errorResponse(409, 'already_administrator', `${email} is already an administrator.`);
    if (!recorded.ok) return errorResponse(500, 'unexpected_failure', 'The invitation could not be stored.');
    const [row] = (await recorded.json()) as { id: string; expires_at: string }[];
    const redirectTo = encodeURIComponent(`${project.siteUrl}/auth/callback?setup=true`);
    const invited = await asService(`/auth/v1/invite?redirect_to=${redirectTo}`, {
      email,
      data: { full_name: fullName },
    });
    // An existing user gets a recovery email, which opens the same screen.
    const sent =
      invited.status === 422
        ? await asService(`/auth/v1/recover?redirect_to=${redirectTo}`, { email })
        : invited;
    const response: InvitationResponse = {
      success: sent.ok,
      invitation_id: row?.id ?? '',
      expires_at: row?.expires_at ?? '',
    };
    return Response.json(response, { headers: { 'Access-Control-Allow-Origin': '*' } });
  };
}

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers': 'authorization, x-client-info, apikey, content-type',
    },
  });
