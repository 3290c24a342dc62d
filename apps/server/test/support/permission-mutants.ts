/**
 * SQL statements that each break one rule of the database. Those with a common pattern are generated from the
 * catalog.
 */

/** Assigns the administrator role by the token, as on a platform that takes the role from the token. */
const alwaysAsToken = `create or replace function private.request_role(token_role text, subject uuid)
  returns text language sql stable security definer set search_path = '' as 'select token_role'`;

const replaceDenial = (
  denial: string,
): string => `create or replace function private.administrator_denial(subject uuid, level text) returns text
  language sql stable security definer set search_path = '' as $$select ${denial}$$`;
const denialWith = (unmet: string): string => `(select case when r.ends_at <= now() then 'role_ended'
  when ${unmet} then 'second_factor_required' end from public.user_roles r where r.user_id = subject)`;

/** An acceptance of an invitation as a member that misses a condition, or gives a role as well. */
const acceptMember = (
  condition: string,
  { also = '', end = 'c.membership_ends_at' }: { readonly also?: string; readonly end?: string } = {},
): string => `create or replace function private.accept_member_invitations(invited_user uuid) returns setof uuid
  language plpgsql security definer set search_path = '' as $$
  declare accepted uuid[];
  begin
    with changed as (
      update private.member_invitations i set status = 'accepted', accepted_at = now() where ${condition}
        returning i.id, i.account_id, i.membership_ends_at
    ), added as (
      insert into public.account_members (account_id, user_id, ends_at)
        select c.account_id, invited_user, ${end} from changed c on conflict (account_id, user_id) do nothing
    ) select array_agg(c.id) into accepted from changed c;
    delete from private.member_invitation_tokens t where t.invitation_id = any (accepted);
    ${also}
    return query select unnest(accepted);
  end $$`;
const acceptable = [
  'i.user_id = invited_user',
  `i.status = 'pending'`,
  'i.expires_at > now()',
  '(i.membership_ends_at is null or i.membership_ends_at > now())',
  'not exists (select from public.user_roles r where r.user_id = invited_user)',
];

const activeMemberships = (condition: string): string =>
  `create or replace view private.active_memberships as select m.account_id, m.user_id from public.account_members m
     where ${condition}`;

/** The conditions under which an ended membership ends a session. */
const signedOut = [
  's.created_at < e.ends_at',
  'not exists (select from private.active_administrators a where a.id = s.user_id)',
  `not exists (select from private.active_memberships m join public.accounts a on a.id = m.account_id
     where m.user_id = s.user_id and a.status = 'active')`,
];

/** The settling of ended memberships with other conditions. */
const endMemberships = ({
  ends = `m.status = 'active' and m.ends_at <= now()`,
  conditions = signedOut,
}: {
  readonly ends?: string;
  readonly conditions?: readonly string[];
}): string => `create or replace function private.end_memberships(out ended integer, out sessions jsonb)
  language plpgsql security definer set search_path = '' as $$
  begin
    with changed as (
      update public.account_members m set status = 'ended' where ${ends} returning m.user_id, m.ends_at
    ), revoked as (
      delete from auth.sessions s using changed e where ${['s.user_id = e.user_id', ...conditions].join(' and ')}
        returning s.id
    ) select coalesce(jsonb_agg(r), '[]') into sessions from revoked r;
  end $$`;

/** The end date of a membership without effect, one second late, or changed by its user. */
const membershipEndMutants: readonly string[] = [
  activeMemberships(`m.status = 'active'`),
  activeMemberships(`m.ends_at is null or m.ends_at > now()`),
  activeMemberships(`m.status = 'active' and (m.ends_at is null or m.ends_at >= now())`),
  activeMemberships(`m.status = 'active' and m.ends_at is null`),
  `alter policy own_memberships on public.account_members using (user_id = (select auth.uid()))`,
  `alter policy own_memberships on public.account_members
     using (user_id = (select auth.uid()) and (ends_at is null or ends_at >= now()))`,
  `alter policy own_memberships on public.account_members
     using (user_id = (select auth.uid()) and ends_at is null)`,
  `create or replace function private.guard_membership_end() returns trigger language plpgsql
     set search_path = '' as 'begin return coalesce(new, old); end'`,
  `create or replace function private.guard_membership_end() returns trigger language plpgsql
     set search_path = '' as $$begin
       raise exception using errcode = '42501', constraint = 'account_members_own_end', message = 'x';
     end$$`,
  ...[
    'r.ends_at <= given_until',
    `r.ends_at < nullif(given_until, 'infinity')`,
    'r.user_id <> new.user_id',
    'true',
  ].map(
    (
      outlasts,
    ) => `create or replace function private.guard_given_membership() returns trigger language plpgsql
     security definer set search_path = '' as $$
     declare given_until timestamptz := coalesce((to_jsonb(new) ->> tg_argv[0])::timestamptz, 'infinity');
     begin
       if coalesce(current_setting('request.undoes', true), '') = '' and exists (select from public.user_roles r
           where r.user_id = auth.uid() and r.ends_at < 'infinity'
             and ${outlasts === 'r.user_id <> new.user_id' ? `r.ends_at < given_until and ${outlasts}` : outlasts}) then
         raise exception using errcode = '42501', constraint = 'account_members_role_end', message = 'x';
       end if;
       return new;
     end$$`,
  ),
  `drop trigger reopen on public.account_members;
   create trigger reopen before update on public.account_members for each row
     when (old.status = 'ended' and new.status = 'ended') execute function private.reopen_membership()`,
  `drop trigger reopen on public.account_members;
   create trigger reopen before update on public.account_members for each row
     when (old.ends_at is distinct from new.ends_at) execute function private.reopen_membership()`,
  endMemberships({ ends: 'm.ends_at <= now()' }),
  endMemberships({ ends: `m.status = 'active' and m.ends_at < now()` }),
  endMemberships({ ends: 'false' }),
  ...signedOut.map((_, omitted) =>
    endMemberships({ conditions: signedOut.filter((_condition, index) => index !== omitted) }),
  ),
  endMemberships({ conditions: ['false'] }),
];

/** Mutants that no pattern generates. */
export const manualMutants: readonly string[] = [
  `create or replace function private.is_platform_admin() returns boolean language sql stable security definer
     set search_path = '' as 'select true'`,
  `create or replace function private.is_platform_admin() returns boolean language sql stable security definer
     set search_path = '' as 'select exists (select from public.user_roles)'`,
  ...[
    // An end date without effect, a requirement without effect, a requirement that the token or the factor alone meets.
    `null`,
    `(select 'role_ended' from public.user_roles r where r.user_id = subject and r.ends_at <= now())`,
    denialWith(`level is distinct from 'aal2'`),
    denialWith(`not exists (select from auth.users u where u.id = subject and u.has_verified_factor)`),
  ].map((denial) =>
    replaceDenial(`case when exists (select from public.user_roles r where r.user_id = subject)
      then ${denial} else 'not_platform_admin' end`),
  ),
  replaceDenial(
    `(select 'second_factor_required' from private.second_factor_requirement where level = 'aal1')`,
  ),
  ...[
    // Passkeys never count, count without user verification, or count without the level of the token.
    `coalesce(level = 'aal2', false) and private.has_verified_factor(subject)`,
    `coalesce(level = 'aal2', false) and (private.has_verified_factor(subject) or exists (select from auth.sessions s
       where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = subject and s.aal = 'aal2'
         and s.passkey_id is not null))`,
    `coalesce(level = 'aal2' and private.has_verified_factor(subject), false) or private.has_passkey_session(subject)`,
  ].map(
    (met) => `create or replace function private.meets_second_factor_requirement(subject uuid, level text)
      returns boolean language sql stable security definer set search_path = '' as $$select ${met}$$`,
  ),
  ...[`s.user_id = subject`, `s.aal = 'aal2'`].map(
    (missing) => `create or replace function private.has_passkey_session(subject uuid) returns boolean
      language sql stable security definer set search_path = '' as $$select exists (select from auth.sessions s
        where s.id = (auth.jwt() ->> 'session_id')::uuid and s.passkey_aal2
          and ${missing === 's.user_id = subject' ? `s.aal = 'aal2'` : 's.user_id = subject'})$$`,
  ),
  `alter policy service_expires on private.audit_log using (exists (select from private.audit_seals s
     where s.entry_id = audit_log.id and s.position <= (select max(c.position) from private.audit_checkpoints c)))`,
  `alter policy own_roles on public.user_roles using (user_id = (select auth.uid()))`,
  `create or replace function private.own_account_ids() returns setof uuid language sql stable security definer
     set search_path = '' as 'select account_id from public.account_members where user_id = auth.uid()'`,
  `create or replace function private.own_account_ids() returns setof uuid language sql stable security definer
     set search_path = '' as $$select account_id from public.account_members where status = 'active'$$`,
  ...membershipEndMutants,
  `create or replace function private.request_role(token_role text, subject uuid) returns text language sql stable
     security definer set search_path = '' as $$select case token_role when 'authenticated' then 'platform_administrator'
     else token_role end$$`,
  alwaysAsToken,
  `create or replace function private.request_role(token_role text, subject uuid) returns text language sql stable
     security definer set search_path = '' as $$select case when exists (select from public.user_roles r
     where r.user_id = subject) then 'platform_administrator' else token_role end$$`,
  `alter policy read_accounts on public.accounts using ((select private.is_platform_admin()))`,
  `alter policy read_contacts on public.account_contacts using ((select private.is_platform_admin()))`,
  `alter policy read_contacts on public.account_contacts using (account_id in (select private.own_account_ids()))`,
  `alter policy administrators_read_accounts on public.accounts to authenticated`,
  `alter policy create_accounts on public.accounts
     with check ((select private.is_platform_admin()) and status = 'active')`,
  `alter policy create_accounts on public.accounts
     with check ((select private.is_platform_admin()) and created_by = (select auth.uid()))`,
  `alter policy create_accounts on public.accounts
     with check (created_by = (select auth.uid()) and status = 'active')`,
  `alter policy update_accounts on public.accounts using ((select private.is_platform_admin()))`,
  `create or replace function private.check_account_status() returns trigger language plpgsql
     set search_path = '' as 'begin return new; end'`,
  `create or replace function private.stamp_account() returns trigger language plpgsql
     set search_path = '' as 'begin new.updated_at := now(); new.updated_by := auth.uid(); return new; end'`,
  `alter policy create_settings on public.notification_settings with check (auth.uid() is not null)`,
  `alter policy update_settings on public.notification_settings using ((select private.is_platform_admin()))`,
  `alter policy own_profile on public.profiles using ((select auth.uid()) is not null)`,
  `alter policy own_profile on public.profiles
     using (id = (select auth.uid()) or (select private.is_platform_admin()))`,
  `alter policy service on public.accounts to service_role, authenticated`,
  `alter policy service on public.user_roles to service_role`,
  `alter policy service on public.profiles to current_user`,
  `alter view public.user_invitations set (security_invoker = false)`,
  `grant usage on schema private to anon; grant execute on all functions in schema private to public`,
  `revoke usage on schema private from authenticated`,
  `revoke usage on schema public from anon, authenticated`,
  ...acceptable.map((_, omitted) =>
    acceptMember(acceptable.filter((_condition, index) => index !== omitted).join(' and ')),
  ),
  acceptMember(acceptable.join(' and '), {
    also: `insert into public.user_roles (user_id, role) values (invited_user, 'platform_admin');`,
  }),
  acceptMember(acceptable.join(' and '), { end: 'null' }),
  // The link of a member accepts the invitation of the same user as an administrator.
  `create or replace function private.accept_invitation(invited_user uuid, invitation uuid default null) returns boolean
     language plpgsql security definer set search_path = '' as $$
     begin
       update private.invitations i set status = 'accepted', accepted_at = now()
         where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now();
       insert into public.user_roles (user_id, role) values (invited_user, 'platform_admin');
       return true;
     end $$`,
  `create or replace function private.reject_invited_role() returns trigger language plpgsql
     set search_path = '' as $$begin
       if exists (select from public.user_roles r where r.user_id = new.user_id and r.ends_at is null) then
         raise exception using errcode = '23514', constraint = 'member_invitations_no_role', message = 'x';
       end if;
       return new;
     end$$`,
];

const grantees = `(values ('anon'), ('authenticated'), ('service_role')) g (role)`;

/**
 * Returns one row per mutant: policies dropped or opened, row security disabled, grants on tables, columns
 * and functions inverted, checks, keys and triggers dropped. Excludes grants to `anon` in the schema
 * `private`: without usage of the schema they have no effect.
 */
export const catalogMutants = `
with relations as (
  select c.oid, n.nspname, c.relname, c.relkind, c.relrowsecurity, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and c.relkind in ('r', 'v')
      and c.relname <> 'schema_migrations'
), functions as (
  select p.oid, p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private') and p.prorettype <> 'trigger'::regtype
)
select format('drop policy %I on %I.%I', policyname, schemaname, tablename) as text
  from pg_policies where schemaname in ('public', 'private')
union all
select format('alter policy %I on %I.%I using (true)', policyname, schemaname, tablename)
  from pg_policies where schemaname in ('public', 'private') and qual <> 'true'
union all
select format('alter policy %I on %I.%I with check (true)', policyname, schemaname, tablename)
  from pg_policies where schemaname in ('public', 'private') and with_check <> 'true'
union all
select format('alter table %s disable row level security', name) from relations where relrowsecurity
union all
select format(
    case when has_table_privilege(role, oid, privilege) then 'revoke %s on %s from %s' else 'grant %s on %s to %s' end,
    privilege, name, role)
  from relations, ${grantees}, (values ('select'), ('insert'), ('update'), ('delete'), ('truncate')) p (privilege)
  where not (nspname = 'private' and (role = 'anon' or privilege = 'truncate'))
    and not (relkind = 'v' and privilege = 'truncate')
union all
select format(
    case when has_column_privilege(role, r.oid, a.attnum, privilege)
      then 'revoke %s (%I) on %s from %s' else 'grant %s (%I) on %s to %s' end,
    privilege, a.attname, name, role)
  from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped,
    (values ('authenticated'), ('platform_administrator')) g (role),
    (values ('select'), ('insert'), ('update')) p (privilege)
  where (role, r.relname, privilege) in (
    ('platform_administrator', 'accounts', 'insert'), ('platform_administrator', 'accounts', 'update'),
    ('platform_administrator', 'notification_settings', 'insert'),
    ('platform_administrator', 'notification_settings', 'update'), ('authenticated', 'invitations', 'select'))
union all
select format(
    case when has_function_privilege(role, oid, 'execute') then 'revoke execute on function %s from %s'
      else 'grant execute on function %s to %s' end,
    name, role)
  from functions, ${grantees} where role <> 'anon'
union all
select format('alter table %s drop constraint %I', name, conname)
  from pg_constraint k join relations r on r.oid = k.conrelid
  where k.contype in ('c', 'u') and (r.nspname = 'public' or r.relname in ('invitations', 'member_invitations'))
union all
select format('drop trigger %I on %s', tgname, tgrelid::regclass)
  from pg_trigger t where not tgisinternal
    and (t.tgrelid in (select oid from relations) or (t.tgrelid = 'auth.users'::regclass and tgname in ('create_profile', 'keep_platform_admin_access'))
      or t.tgrelid = 'auth.audit_log_entries'::regclass or tgname = 'guard_seniority')
`;
