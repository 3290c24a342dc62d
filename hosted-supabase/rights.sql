-- A hosted project runs the requests of administrators as `authenticated`, not as `platform_administrator`. The policies of
-- the tables still reject all other users.
grant insert (name, slug, account_type, address, city, state, zip_code, status, created_by),
    update (name, slug, account_type, address, city, state, zip_code)
  on public.accounts to authenticated;
grant insert (sender_email, sender_name), update (sender_email, sender_name)
  on public.notification_settings to authenticated;
