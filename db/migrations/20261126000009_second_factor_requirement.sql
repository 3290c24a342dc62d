-- The requirement of a second factor for all administrators: one row, or none while no second factor is required.
create table private.second_factor_requirement (
  id boolean not null default true,
  -- End of the grace period. From then on, administrators have no rights without a second factor or a passkey at AAL2.
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  set_by uuid,
  constraint second_factor_requirement_pkey primary key (id),
  constraint second_factor_requirement_id_check check (id),
  constraint second_factor_requirement_set_by_fkey foreign key (set_by) references auth.users on delete set null
);

create trigger record_change after insert or update or delete on private.second_factor_requirement
  for each row execute function private.record_change();

-- A hosted Supabase project has the factors of users, but not the column `auth.users.has_verified_factor` of our Auth API.
create function private.has_verified_factor(subject uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from auth.mfa_factors f where f.user_id = subject and f.status = 'verified');
revoke execute on function private.has_verified_factor(uuid) from public;

-- Whether a passkey with user verification gave the session of the request AAL2. A hosted project does not have the column
-- `passkey_aal2`, so the row is read as JSON.
create function private.has_passkey_session(subject uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (
    select from auth.sessions s
      where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = subject and s.aal = 'aal2'
        and coalesce((to_jsonb(s) ->> 'passkey_aal2')::boolean, false)
  );
revoke execute on function private.has_passkey_session(uuid) from public;

-- Whether the user of the request meets the requirement: at AAL2, with a verified factor or a passkey. A token stays at AAL2
-- after the last factor or the passkey of its session was removed, so the level alone is not sufficient.
create function private.meets_second_factor_requirement(subject uuid, level text) returns boolean
  language sql stable security definer
  set search_path = ''
  return coalesce(level = 'aal2', false) and (private.has_verified_factor(subject) or private.has_passkey_session(subject));
revoke execute on function private.meets_second_factor_requirement(uuid, text) from public;

-- Only an administrator who meets the requirement can create or change it; the command line, which has no user, always can.
create function private.guard_second_factor_requirement() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if auth.uid() is not null and not private.meets_second_factor_requirement(auth.uid(), auth.jwt() ->> 'aal') then
    raise exception using
      errcode = '42501',
      constraint = 'second_factor_requirement_own_factor',
      message = 'Set up your own second factor before you require one';
  end if;
  return new;
end
$$;
create trigger guard_requirement before insert or update on private.second_factor_requirement
  for each row execute function private.guard_second_factor_requirement();

-- The requirement removes the rights of administrators without a second factor, so a new administrator cannot change it.
create function private.guard_requirement_seniority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_seniority(null, false);
  return coalesce(new, old);
end
$$;
create trigger guard_seniority before insert or update or delete on private.second_factor_requirement
  for each row execute function private.guard_requirement_seniority();

alter table private.second_factor_requirement enable row level security;
alter table private.second_factor_requirement force row level security;

revoke all on private.second_factor_requirement from public, anon, authenticated, service_role;

create policy service on private.second_factor_requirement to current_user using (true) with check (true);
