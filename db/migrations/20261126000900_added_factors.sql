-- The activity lists second factors that were added, not only removed ones.
drop trigger record_auth_action on auth.audit_log_entries;
create trigger record_auth_action after insert on auth.audit_log_entries
  for each row when (new.payload ->> 'action' in (
    'user_updated_password', 'user_modified', 'user_deleted', 'factor_added', 'factor_unenrolled', 'factor_deleted',
    'factor_updated', 'recovery_codes_generated', 'recovery_codes_deleted', 'identity_linked', 'identity_unlinked',
    'passkey_created', 'passkey_updated', 'passkey_deleted'
  ))
  execute function private.record_auth_action();
