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

const allOrigins = { 'Access-Control-Allow-Origin': '*' };

const errorResponse = (status: number, code: string, error: string): Response =>
  Response.json({ error, code }, { status, headers: allOrigins });

/** Returns a handler for `Deno.serve`. */
export const sendUserInvitation =
  (project: HostedProject) =>
  async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') return preflight();
    if (request.method !== 'POST')
      return errorResponse(405, 'method_not_allowed', 'Call this function with POST.');
    const token = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    const user = token ? await send(project, '/auth/v1/user', token) : null;
    if (!token || !user?.ok) return errorResponse(401, 'not_authenticated', 'Sign in first.');
    const { id: inviter } = (await user.json()) as { id: string };
    const roleFilter = `user_id=eq.${inviter}&role=eq.platform_admin`;
    const roles = await send(project, `/rest/v1/user_roles?select=id&${roleFilter}`, token);
    if (!roles.ok || ((await roles.json()) as unknown[]).length === 0)
      return errorResponse(403, 'not_allowed', 'This action requires a platform administrator.');
    const input = invitationSchema.safeParse(await request.json().catch(() => null));
    if (!input.success)
      return errorResponse(400, 'validation_failed', input.error.issues[0]?.message ?? 'Invalid input');
    return invite(project, inviter, input.data);
  };

async function invite(
  project: HostedProject,
  inviter: string,
  { email, full_name: fullName }: { email: string; full_name: string },
): Promise<Response> {
  const call = (path: string, body: object): Promise<Response> =>
    send(project, path, project.serviceRoleKey, body);
  const recorded = await call('/rest/v1/rpc/record_invitation', {
    invited_email: email,
    invited_name: fullName,
    inviter,
  });
  if (recorded.status === 409)
    return errorResponse(409, 'already_administrator', `${email} is already an administrator.`);
  if (!recorded.ok) return errorResponse(500, 'unexpected_failure', 'The invitation could not be stored.');
  const [row] = (await recorded.json()) as { id: string; expires_at: string }[];
  const redirect = `redirect_to=${encodeURIComponent(`${project.siteUrl}/auth/callback?setup=true`)}`;
  const invited = await call(`/auth/v1/invite?${redirect}`, { email, data: { full_name: fullName } });
  // An existing user gets a recovery email, which opens the same screen.
  const sent = invited.status === 422 ? await call(`/auth/v1/recover?${redirect}`, { email }) : invited;
  const response: InvitationResponse = {
    success: sent.ok,
    invitation_id: row?.id ?? '',
    expires_at: row?.expires_at ?? '',
  };
  return Response.json(response, { headers: allOrigins });
}

const send = (project: HostedProject, path: string, key: string, body?: object): Promise<Response> =>
  (project.fetch ?? fetch)(project.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      apikey: key === project.serviceRoleKey ? key : project.anonKey,
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...allOrigins,
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers': 'authorization, x-client-info, apikey, content-type',
    },
  });
