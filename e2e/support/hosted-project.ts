/**
 * A hosted Supabase project as `docs/hosted-supabase.md` sets it up: Postgres with the schema `auth` of Supabase Auth and
 * the tables of the product, PostgREST, the function `send-user-invitation`, and a stand-in for Supabase Auth, behind one
 * URL.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostedProject, hostedJwtSecret } from '@lanternrock/testing/hosted-project';
import { startPostgres } from '@lanternrock/testing/postgres-server';
import { sendUserInvitation } from '../../hosted-supabase/send-user-invitation.ts';
import { HostedAuth } from './hosted-auth.ts';

export type HostedProject = Awaited<ReturnType<typeof startHostedProject>>;

/** Response headers that the gateway forwards from PostgREST. */
const forwarded = ['content-type', 'content-range'];

/** @param siteUrl returns the URL of the console, which is not known at the start */
export async function startHostedProject(siteUrl: () => string) {
  const postgres = await startPostgres();
  const { ownerUrl, authUrl, rest, close } = await createHostedProject(postgres.superuserUrl, 'hosted');
  const auth = await HostedAuth.open(authUrl, hostedJwtSecret);
  const [anonKey, serviceRoleKey] = await Promise.all([
    auth.sign({ role: 'anon' }),
    auth.sign({ role: 'service_role' }),
  ]);
  /** Requests that no part of the project serves. */
  const unknown: string[] = [];

  async function respond(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    if (pathname === '/functions/v1/send-user-invitation')
      return sendUserInvitation({ url, anonKey, serviceRoleKey, siteUrl: siteUrl() })(request);
    const text = await request.text();
    const headers = Object.fromEntries(request.headers);
    if (pathname.startsWith('/rest/v1/')) {
      const response = await fetch(rest.url + path.slice('/rest/v1'.length), {
        method: request.method,
        headers,
        ...(text === '' ? {} : { body: text }),
      });
      const sent = forwarded.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as [string, string]];
      });
      return new Response(response.status === 204 ? null : await response.text(), {
        status: response.status,
        headers: sent,
      });
    }
    const { status, body } = await auth.respond({
      method: request.method,
      path: path.slice('/auth/v1'.length),
      bearer: headers['authorization']?.replace(/^Bearer /, '') ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    });
    if (status === 404) unknown.push(`${request.method} ${path}`);
    return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
  }

  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      outgoing.setHeader('Access-Control-Allow-Origin', '*');
      outgoing.setHeader('Access-Control-Expose-Headers', '*');
      outgoing.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
      // The headers that a project allows. A request with any other one fails in the browser.
      outgoing.setHeader(
        'Access-Control-Allow-Headers',
        'authorization, x-client-info, apikey, content-type, prefer, accept, accept-profile, content-profile, x-supabase-api-version',
      );
      const { method = '', url: path = '' } = incoming;
      if (method === 'OPTIONS') return outgoing.writeHead(204).end();
      const body = Buffer.concat(await incoming.toArray());
      const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === 'string' && name !== 'host' && name !== 'connection'
          ? [[name, value] as [string, string]]
          : [],
      );
      const request = new Request(url + path, { method, headers, ...(body.length === 0 ? {} : { body }) });
      const response = await respond(request);
      return outgoing
        .writeHead(response.status, Object.fromEntries(response.headers))
        .end(Buffer.from(await response.arrayBuffer()));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    ownerUrl,
    anonKey,
    auth,
    unknown,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await auth.close();
      await close();
      await postgres.stop();
    },
  };
}
