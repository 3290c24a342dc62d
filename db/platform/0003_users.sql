-- Users.
create table auth.users (
  id uuid not null default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0,
  phone text,
  phone_confirmed_at timestamptz,
  phone_change text,
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_anonymous boolean not null default false,
  -- Set by a trigger on auth.mfa_factors, so that the session check reads no factors.
  has_verified_factor boolean not null default false,
  -- Device tokens contain this number. They are invalid once it has changed.
  device_epoch integer not null default 0,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_check check (email = lower(email)),
  constraint users_email_check1 check (char_length(email) <= 255),
  constraint users_email_change_confirm_status_check check (email_change_confirm_status between 0 and 2),
  constraint users_phone_check check (char_length(phone) <= 15)
);

create unique index users_email_key on auth.users (email);
create unique index users_phone_key on auth.users (phone);
create index users_created_at_idx on auth.users (created_at desc, id);

-- Invalidates the device tokens of a user after a change of the password or of a ban.
create function auth.end_devices() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.device_epoch := old.device_epoch + 1;
  return new;
end
$$;
create trigger end_devices before update of encrypted_password, banned_until on auth.users
  for each row when (
    old.encrypted_password is distinct from new.encrypted_password
    or old.banned_until is distinct from new.banned_until
  )
  execute function auth.end_devices();

alter table auth.users enable row level security;
alter table auth.users force row level security;

create policy service on auth.users to current_user using (true) with check (true);
