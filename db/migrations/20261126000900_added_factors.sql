-- The activity lists second factors that were added, not only removed ones. Another trigger, because in a hosted project
-- only Supabase Auth owns the table and could replace record_auth_action.
create trigger record_added_factor after insert on auth.audit_log_entries
  for each row when (new.payload ->> 'action' = 'factor_added')
  execute function private.record_auth_action();
