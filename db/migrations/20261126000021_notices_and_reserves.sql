-- Emails to administrators about invitations, notices that are sent together, and the reserves of the hourly quota.
alter table private.deliveries drop constraint deliveries_kind_check;
alter table private.deliveries add constraint deliveries_kind_check check (kind in (
  'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
  'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
  'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked', 'sign_in_failed',
  'administrator_invited', 'audit_head', 'test'
));

-- Returns true for kinds of which one person gets one email in ten minutes.
create function private.is_notice(kind text) returns boolean
  language sql immutable
  set search_path = ''
as $$
  select kind in (
    'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
    'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked', 'administrator_invited'
  )
$$;
revoke execute on function private.is_notice(text) from public;

-- Returns the reserve of the hourly quota for an email: `invitation` for those of administrators and the command line,
-- `recovery` for the recovery of administrators, `notice` for security notices, otherwise `none`.
create function private.delivery_reserve(kind text, inviter_kind text, recipient_id uuid) returns text
  language sql stable
  set search_path = ''
as $$
  select case
    when kind = 'invitation' and inviter_kind in ('administrator', 'command_line') then 'invitation'
    when kind = 'recovery' and exists (
      select from public.user_roles r where r.user_id = recipient_id and r.role = 'platform_admin'
    ) then 'recovery'
    when private.is_notice(kind) then 'notice'
    else 'none'
  end
$$;
revoke execute on function private.delivery_reserve(text, text, uuid) from public;

-- Returns true if a notice must wait, because the recipient got one of this kind in the last ten minutes.
create function private.is_notice_held(delivery_id uuid, kind text, recipient text, at timestamptz) returns boolean
  language sql stable
  set search_path = ''
as $$
  select private.is_notice(kind) and exists (
    select from private.deliveries d
      where d.attempted_at > at - interval '10 minutes' and d.kind = is_notice_held.kind
        and d.recipient = is_notice_held.recipient and d.id <> delivery_id
  )
$$;
revoke execute on function private.is_notice_held(uuid, text, text, timestamptz) from public;
