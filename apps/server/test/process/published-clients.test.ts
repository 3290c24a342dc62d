/** The published clients, unchanged, against a running instance, as in any other program. */
import { AuthClient } from '@supabase/auth-js';
import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { administrator, setUpAdministrator, readAnonKey } from './api-client.ts';

describe('the published clients', () => {
  let instance: Instance;
  let auth: InstanceType<typeof AuthClient>;
  let apikey: string;

  beforeAll(async () => {
    instance = await startInstance();
    await setUpAdministrator(instance);
    apikey = await readAnonKey(instance);
    auth = new AuthClient({
      url: `${instance.url}/auth/v1`,
      headers: { apikey, Authorization: `Bearer ${apikey}` },
      autoRefreshToken: false,
      persistSession: false,
    });
  });
  afterAll(async () => instance.stop());

  const data = (token: string): PostgrestClient =>
    new PostgrestClient(`${instance.url}/rest/v1`, { headers: { apikey, Authorization: `Bearer ${token}` } });

  it('sign in, read the user and refresh', { tags: ['C232', 'C235', 'C238'] }, async () => {
    const { data: signedIn, error } = await auth.signInWithPassword(administrator);
    expect(error).toBeNull();
    const first = signedIn.session;
    expect(first?.token_type).toBe('bearer');
    expect((await auth.getUser()).data.user?.email).toBe(administrator.email);
    const { data: refreshed, error: refreshError } = await auth.refreshSession();
    expect(refreshError).toBeNull();
    expect(refreshed.session?.refresh_token).not.toBe(first?.refresh_token);
    const claims = await auth.getClaims();
    expect(claims.data?.claims.email).toBe(administrator.email);
    expect(claims.data?.header.alg).toBe('ES256');
  });

  it('read and write', { tags: ['C264', 'C265', 'C266', 'C270'] }, async () => {
    const { data: signedIn } = await auth.signInWithPassword(administrator);
    const token = signedIn.session?.access_token ?? '';
    const table = data(token).from('accounts');
    const created = await table
      .insert({
        name: 'Harbor',
        slug: 'harbor',
        account_type: 'enterprise',
        address: null,
        city: null,
        state: null,
        zip_code: null,
        status: 'active',
        created_by: signedIn.user?.id,
      })
      .select()
      .single();
    expect(created.error).toBeNull();
    expect(created.data).toMatchObject({ name: 'Harbor', active_members: 0 });
    const listed = await data(token)
      .from('accounts')
      .select('*', { count: 'exact' })
      .order('created_at', { ascending: false });
    expect(listed.count).toBe(listed.data?.length);
    const settings = data(token).from('notification_settings');
    const saved = await settings
      .insert({ sender_email: 'ops@example.org', sender_name: 'Ops' })
      .select()
      .single();
    expect(saved.error).toBeNull();
    const changed = await data(token)
      .from('notification_settings')
      .update({ sender_email: 'ops@example.org', sender_name: 'Operations' }, { count: 'exact' })
      .eq('id', saved.data?.id);
    expect(changed.count).toBe(1);
    const none = await data(token).from('accounts').select().eq('name', 'unknown').single();
    expect(none.error?.code).toBe('PGRST116');
    expect(none.status).toBe(406);
  });

  it('invoke the invitation function', { tags: ['C256', 'C263'] }, async () => {
    const { data: signedIn } = await auth.signInWithPassword(administrator);
    const functions = new FunctionsClient(`${instance.url}/functions/v1`, {
      headers: { apikey, Authorization: `Bearer ${signedIn.session?.access_token}` },
    });
    const response = await functions.invoke('send-user-invitation', {
      body: { email: 'second@example.org', full_name: 'Second Person' },
    });
    expect(response.error).toBeNull();
    expect(response.data).toMatchObject({ success: true });
    expect((await instance.mailTo('second@example.org')).subject).toBeTruthy();
  });

  it('sign out, and no token of the session works afterwards', { tags: ['C233'] }, async () => {
    const { data: signedIn } = await auth.signInWithPassword(administrator);
    const token = signedIn.session?.access_token ?? '';
    expect((await auth.signOut()).error).toBeNull();
    const rejected = await data(token).from('accounts').select();
    expect([rejected.status, rejected.error?.code]).toEqual([401, 'PGRST303']);
  });
});
