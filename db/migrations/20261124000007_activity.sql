-- The activity of administrators: where each change came from, actions that change no table, and one index per filter of
-- the list, in its order.
alter table private.audit_log
  -- Null for entries of earlier versions. 'console' is the statement of the client, not a proof.
  add column origin text,
  add constraint audit_log_origin_check check (origin in ('console', 'interface', 'command line', 'service')),
  drop constraint audit_log_action_check,
  -- Lower case: an action that changes no recorded table, such as 'exported'. Its details are in "after".
  add constraint audit_log_action_check check (
    action in ('INSERT', 'UPDATE', 'DELETE') or action ~ '^[a-z_]{3,50}$'
  );

-- A separate step: with the column, the default would also apply to the existing entries.
alter table private.audit_log alter column origin
  set default coalesce(nullif(current_setting('request.origin', true), ''), 'service');

drop index private.audit_log_at_idx;
create index audit_log_newest_idx on private.audit_log (at desc, id desc);
create index audit_log_table_idx on private.audit_log (table_name, at desc, id desc);
-- Who: the user, or the origin of a change without a user. The same expression as in apps/server/src/audit.
create index audit_log_person_idx on private.audit_log ((coalesce(actor::text, origin)), at desc, id desc);
-- The account of a change of an account or of its members, the user of a change of a role or factor, or the row itself.
create index audit_log_record_idx on private.audit_log ((
  coalesce(
    coalesce(after, before) ->> 'account_id',
    case when table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions')
      then coalesce(after, before) ->> 'user_id' end,
    row_id
  )
), at desc, id desc);
