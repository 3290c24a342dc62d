-- Emails to administrators about invitations, notices that are sent together, and the reserves of the hourly quota.
alter table private.deliveries drop constraint deliveries_kind_check;
alter table private.deliveries add constraint deliveries_kind_check check (kind in (
  'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
  'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
  'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked', 'sign_in_failed',
  'administrator_invited', 'audit_head', 'test'
));

-- The reserve of the hourly quota that the email uses: `invitation` for those of administrators and the command line,
-- `recovery` for the recovery of administrators, `notice` for security notices that one person gets once in ten minutes.
alter table private.deliveries add column reserve text not null default 'none';
alter table private.deliveries add constraint deliveries_reserve_check
  check (reserve in ('invitation', 'recovery', 'notice', 'none'));

-- Emails that wait at the upgrade, and those that the quota counts.
update private.deliveries d set reserve = case
    when d.kind = 'invitation' and d.inviter_kind in ('administrator', 'command_line') then 'invitation'
    when d.kind = 'recovery' then 'recovery'
    else 'notice'
  end
  where (d.status = 'waiting' or d.attempted_at > clock_timestamp() - interval '1 hour') and (
    d.kind = 'invitation' and d.inviter_kind in ('administrator', 'command_line')
    or d.kind = 'recovery' and exists (
      select from public.user_roles r where r.user_id = d.user_id and r.role = 'platform_admin'
    )
    or d.kind in (
      'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
      'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked'
    )
  );

-- The oldest emails of each reserve, and the last notices to a person.
create index deliveries_reserve_idx on private.deliveries (reserve, decoy, due_at, id)
  where status = 'waiting' and not attended;
create index deliveries_notice_idx on private.deliveries (recipient, kind, attempted_at) where reserve = 'notice';
