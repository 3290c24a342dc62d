-- Identities: the email address or the account at a provider with which a user signs in.
create table auth.identities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_pkey primary key (id),
  constraint identities_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint identities_provider_provider_id_key unique (provider, provider_id)
);

create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email);

alter table auth.identities enable row level security;
alter table auth.identities force row level security;

create policy service on auth.identities to current_user using (true) with check (true);
