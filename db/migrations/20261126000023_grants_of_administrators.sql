-- Only administrators create and change accounts and settings, so only their database role has the privileges. The Data API
-- then rejects all others before it reads a body.
revoke insert (name, slug, account_type, address, city, state, zip_code, status, created_by),
    update (name, slug, account_type, address, city, state, zip_code)
  on public.accounts from authenticated;
grant insert (name, slug, account_type, address, city, state, zip_code, status, created_by),
    update (name, slug, account_type, address, city, state, zip_code)
  on public.accounts to platform_administrator;

revoke insert (sender_email, sender_name), update (sender_email, sender_name)
  on public.notification_settings from authenticated;
grant insert (sender_email, sender_name), update (sender_email, sender_name)
  on public.notification_settings to platform_administrator;
