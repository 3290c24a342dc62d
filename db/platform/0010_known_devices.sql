-- Seconds of the present window: windows that were used up are followed by longer ones.
alter table auth.rate_limits add column seconds integer not null default 0;

-- Tokens of devices that signed in before carry this number; they end when it changes.
alter table auth.users add column device_epoch integer not null default 0;

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

-- Several recovery links of one user may live at once.
drop index auth.one_time_tokens_user_key;
create unique index one_time_tokens_user_key on auth.one_time_tokens (user_id, token_type)
  where token_type <> 'recovery';
create index one_time_tokens_user_idx on auth.one_time_tokens (user_id);
