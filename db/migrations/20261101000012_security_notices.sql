-- Mails that tell somebody of a change to the own sign-in.
alter table private.deliveries drop constraint deliveries_kind_check;
alter table private.deliveries add constraint deliveries_kind_check check (kind in (
  'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
  'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'passkey_added',
  'passkey_removed', 'identity_linked', 'identity_unlinked', 'test'
));
