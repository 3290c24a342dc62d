/** The tables of the product in a hosted Supabase project: schema `auth` of Supabase Auth, requests through PostgREST. */
import { randomUUID } from 'node:crypto';
import {
  createHostedProject,
  hostedJwtSecret,
  type HostedProject,
} from '@lanternrock/testing/hosted-project';
import { postgrestBinary } from '@lanternrock/testing/postgrest';
import { engines } from '@lanternrock/testing/engines';
import { SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const skipped = postgrestBinary === null || !engines.includes('postgres');

describe.skipIf(skipped)('the tables of the product in a hosted project', () => {
  let project: HostedProject;
  /** Connection of Supabase Auth. */
  let auth: pg.Client;
  let owner: pg.Client;
  const admin = randomUUID();
  const member = randomUUID();
  beforeAll(async () => {
    project = await createHostedProject(inject('postgres').superuserUrl, `hosted_${process.pid}`);
    auth = new pg.Client(project.authUrl);
    owner = new pg.Client(project.ownerUrl);
    await Promise.all([auth.connect(), owner.connect()]);
    for (const [id, email] of [
      [admin, 'olga@example.org'],
      [member, 'member@example.org'],
    ])
      await createUser(id, email);
    await owner.query(`insert into public.user_roles (user_id, role) values ($1, 'platform_admin')`, [admin]);
  });
  afterAll(async () => {
    await Promise.all([auth.end(), owner.end()]);
    await project.close();
  });

  /** Inserts a user with the columns that Supabase Auth sets. */
  const createUser = (id: string | undefined, email: string | undefined): Promise<unknown> =>
    auth.query(
      `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
          raw_user_meta_data, created_at, updated_at)
        values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, '', '{}',
          jsonb_build_object('full_name', 'Olga Owner'), now(), now())`,
      [id, email],
    );
  /** The token of an API key (`anon`, `service_role`), or of a user. */
  const token = (as: string, claims: object = { aal: 'aal1' }): Promise<string> =>
    new SignJWT(
      ['anon', 'service_role'].includes(as) ? { role: as } : { sub: as, role: 'authenticated', ...claims },
    )
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(hostedJwtSecret));
  const send = async (
    as: string,
    path: string,
    body?: object,
    method?: string,
    claims?: object,
  ): Promise<{ status: number; body: unknown }> => {
    const response = await project.rest.request({
      path,
      ...(method ? { method } : {}),
      ...(body ? { body } : {}),
      headers: {
        Authorization: `Bearer ${await token(as, claims)}`,
        Prefer: 'return=representation',
      },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  const account = (creator: string | undefined) => ({
    name: 'Vail Ski Patrol',
    slug: 'vail-ski-patrol',
    account_type: 'enterprise',
    address: null,
    city: 'Vail',
    state: null,
    zip_code: null,
    status: 'active',
    created_by: creator,
  });
  const settings = { sender_email: 'alerts@example.org', sender_name: 'Alerts' };

  it('serves the calls of the console to an administrator', async () => {
    expect(await send(admin, '/accounts', account(admin))).toMatchObject({ status: 201 });
    expect(await send(admin, '/accounts?select=*&order=created_at.desc')).toMatchObject({
      status: 200,
      body: [{ name: 'Vail Ski Patrol', status: 'active', created_by: admin }],
    });
    expect(await send(admin, `/profiles?select=*&id=eq.${admin}`)).toMatchObject({
      body: [{ id: admin, full_name: 'Olga Owner' }],
    });
    const role = `/user_roles?select=*&user_id=eq.${admin}&role=eq.platform_admin`;
    expect(await send(admin, role)).toMatchObject({ body: [{ role: 'platform_admin' }] });
    const memberships = `/account_members?select=*,accounts(*)&user_id=eq.${admin}&status=eq.active`;
    expect(await send(admin, memberships)).toEqual({ status: 200, body: [] });
    const created = await send(admin, '/notification_settings?select=*', settings);
    expect(created).toMatchObject({ status: 201, body: [settings] });
    const [{ id }] = created.body as [{ id: string }];
    const saved = { ...settings, sender_name: 'Harbor' };
    expect(await send(admin, `/notification_settings?id=eq.${id}`, saved, 'PATCH')).toMatchObject({
      status: 200,
      body: [saved],
    });
    expect(await send(admin, '/user_invitations?select=*&order=invited_at.desc')).toEqual({
      status: 200,
      body: [],
    });
  });

  it('shows and changes nothing without the role or a user', async () => {
    const before = await owner.query('select count(*) from private.audit_log');
    for (const table of ['accounts', 'user_invitations', 'account_members', 'account_contacts', 'user_roles'])
      expect(await send(member, `/${table}?select=*`), table).toEqual({ status: 200, body: [] });
    expect(await send(member, '/accounts', account(member))).toMatchObject({
      status: 403,
      body: { code: '42501' },
    });
    expect((await send(member, '/notification_settings', settings)).status).toBe(403);
    expect((await send(admin, '/user_roles', { user_id: member, role: 'platform_admin' })).status).toBe(403);
    for (const table of ['accounts', 'user_invitations', 'profiles', 'user_roles', 'notification_settings'])
      expect((await send('anon', `/${table}?select=*`)).status, table).toBe(401);
    const after = await owner.query('select count(*) from private.audit_log');
    expect(after.rows).toEqual(before.rows);
  });

  it('accepts an invitation when Supabase Auth stores the password', async () => {
    const invited = await send('service_role', '/rpc/record_invitation', {
      invited_email: 'Robin@example.org',
      invited_name: 'Robin Hart',
      inviter: admin,
    });
    expect(invited.status).toBe(200);
    const robin = randomUUID();
    await createUser(robin, 'robin@example.org');
    await auth.query(`update auth.users set encrypted_password = 'hash' where id = $1`, [robin]);
    expect(await send(admin, '/user_invitations?select=email,status')).toMatchObject({
      body: [{ email: 'robin@example.org', status: 'accepted' }],
    });
    expect(await send(robin, '/accounts?select=name')).toMatchObject({ body: [{ name: 'Vail Ski Patrol' }] });
  });

  it('applies the requirement of a second factor, which no passkey meets there', async () => {
    const id = randomUUID();
    await auth.query(
      `insert into auth.sessions (id, user_id, aal, created_at, updated_at) values ($1, $2, 'aal2', now(), now())`,
      [id, admin],
    );
    await owner.query('insert into private.second_factor_requirement (due_at) values (now())');
    const read = async (claims: object) =>
      (await send(admin, '/accounts?select=name', undefined, 'GET', claims)) as {
        status: number;
        body: unknown[];
      };
    const session = { aal: 'aal2', session_id: id, amr: [{ method: 'passkey' }] };
    expect(await read(session)).toEqual({ status: 200, body: [] });
    const factor = await auth.query<{ id: string }>(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'totp', 'verified', now(), now()) returning id`,
      [admin],
    );
    expect(await read({ ...session, aal: 'aal1' })).toEqual({ status: 200, body: [] });
    expect((await read(session)).body.length).toBeGreaterThan(0);
    await auth.query('delete from auth.mfa_factors where id = $1', [factor.rows[0]?.id]);
    await owner.query('delete from private.second_factor_requirement');
  });

  it('rejects nothing that Supabase Auth writes, but the end of the last administrator', async () => {
    await auth.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      [admin],
    );
    const entry = (payload: object) =>
      auth.query(
        `insert into auth.audit_log_entries (id, payload, created_at) values (gen_random_uuid(), $1, now())`,
        [JSON.stringify(payload)],
      );
    await entry({ action: 'user_updated_password', actor_id: admin, log_type: 'user' });
    await entry({ action: 'user_modified', actor_id: '', log_type: 'team' });
    await entry({ action: 'factor_deleted', log_type: 'factor' });
    const actions = await owner.query(`select action from private.audit_log where table_name = 'auth.users'`);
    expect(actions.rows).toEqual([{ action: 'user_updated_password' }]);
    await auth.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [admin]);
    await auth.query(`update auth.users set banned_until = null where id = $1`, [admin]);
    await auth.query('delete from auth.users where id = $1', [member]);
    await auth.query(`delete from auth.users where email = 'robin@example.org'`);
    await expect(auth.query('delete from auth.users where id = $1', [admin])).rejects.toThrow(
      'The last platform administrator cannot be removed',
    );
  });
});
