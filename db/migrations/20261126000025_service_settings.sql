-- The settings of the service at its last start, so that a command with other settings is rejected.
create table private.service_settings (
  id boolean not null default true,
  site_url text not null,
  -- Name of a setting to an HMAC of its value. The key is derived from SECRETS_KEY, so no value can be recovered.
  fingerprints jsonb not null,
  recorded_at timestamptz not null default now(),
  constraint service_settings_pkey primary key (id),
  constraint service_settings_id_check check (id)
);

alter table private.service_settings enable row level security;
alter table private.service_settings force row level security;
revoke all on private.service_settings from public, anon, authenticated, service_role;
create policy service on private.service_settings to current_user using (true) with check (true);
