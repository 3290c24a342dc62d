/**
 * The function `send-user-invitation` for a hosted Supabase project, over its own interfaces. Same
 * rules and messages as ours, because both read them from the contract; mail and links are the project's.
 */
import { type InvitationResponse, invitationSchema } from '@lanternrock/contract/invitations';

export interface HostedProject {
  /** Address of the project, without a slash at its end. */
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Where the console is. */
  readonly siteUrl: string;
  /** Tests bring their own. */
  readonly fetch?: typeof fetch;
}

const refusal = (status: number, code: string, error: string): Response =>
  Response.json({ error, code }, { status, headers: { 'Access-Control-Allow-Origin': '*' } });

/** @returns a handler as `Deno.serve` takes it. */
export function sendUserInvitation(project: HostedProject): (request: Request) => Promise<Response> {
  const call = async (path: string, key: string, body?: unknown): Promise<Response> =>
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
    call(path, project.serviceRoleKey, body);
  const mayInvite = async (userId: string, token: string): Promise<boolean> => {
    const rows = await call(
      `/rest/v1/user_roles?select=id&user_id=eq.${userId}&role=eq.platform_admin`,
      token,
    );
    return rows.ok && ((await rows.json()) as unknown[]).length > 0;
  };

  return async (request) => {
    if (request.method === 'OPTIONS') return preflight();
    if (request.method !== 'POST') return refusal(405, 'method_not_allowed', 'Call this function with POST.');
    const token = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    const caller = token ? await call('/auth/v1/user', token) : null;
    if (!token || !caller?.ok) return refusal(401, 'not_authenticated', 'Sign in first.');
    const { id: inviter } = (await caller.json()) as { id: string };
    if (!(await mayInvite(inviter, token)))
      return refusal(403, 'not_allowed', 'Only platform administrators may invite.');
    const input = invitationSchema.safeParse(await request.json().catch(() => null));
    if (!input.success)
      return refusal(400, 'validation_failed', input.error.issues[0]?.message ?? 'Invalid input');

    const { email, full_name: fullName } = input.data;
    const recorded = await asService('/rest/v1/rpc/record_invitation', {
      invited_email: email,
      invited_name: fullName,
      inviter,
    });
    if (recorded.status === 409)
      return refusal(409, 'already_administrator', `${email} is already an administrator.`);
    if (!recorded.ok) return refusal(500, 'unexpected_failure', 'The invitation could not be recorded.');
    const [row] = (await recorded.json()) as { id: string; expires_at: string }[];
    const back = encodeURIComponent(`${project.siteUrl}/auth/callback?setup=true`);
    const invited = await asService(`/auth/v1/invite?redirect_to=${back}`, {
      email,
      data: { full_name: fullName },
    });
    // Somebody with an account gets a recovery mail, which leads to the same screen.
    const mail =
      invited.status === 422 ? await asService(`/auth/v1/recover?redirect_to=${back}`, { email }) : invited;
    const answer: InvitationResponse = {
      success: mail.ok,
      invitation_id: row?.id ?? '',
      expires_at: row?.expires_at ?? '',
    };
    return Response.json(answer, { headers: { 'Access-Control-Allow-Origin': '*' } });
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
