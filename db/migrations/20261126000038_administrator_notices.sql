-- Notices of changes to administrators are not held back by those of invitations.
alter table private.deliveries drop constraint deliveries_kind_check;
alter table private.deliveries add constraint deliveries_kind_check check (kind in (
  'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
  'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
  'recovery_code_used', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
  'sign_in_failed', 'administrator_invited', 'audit_head', 'test', 'member_invitation', 'backup_problem',
  'administrator_changed'
));
