-- Actions on a list of invitations, such as inviting its users: one entry sums up the action, and the entries of each invitation are
-- parts of it. Each invitation is a transaction of its own, so a list has thousands of them.
alter table private.audit_log
  -- ID of the entry that sums up the action; null for all other entries. Not a foreign key: the retention removes entries.
  add column part_of bigint default nullif(current_setting('request.part_of', true), '')::bigint;

-- The result of an email is a part of the action that caused it.
alter table private.deliveries
  add column part_of bigint default nullif(current_setting('request.part_of', true), '')::bigint;

-- The activity lists no parts, so that its pages do not read them. The same indexes as before, without the parts.
drop index private.audit_log_newest_idx;
drop index private.audit_log_table_idx;
drop index private.audit_log_person_idx;
create index audit_log_newest_idx on private.audit_log (at, id) with (fillfactor = 100) where part_of is null;
create index audit_log_table_idx on private.audit_log (table_name, at, id) where part_of is null;
create index audit_log_person_idx on private.audit_log ((coalesce(actor::text, origin)), table_name, at, id)
  where part_of is null;

-- An export has all entries: those of the parts are few.
create index audit_log_part_newest_idx on private.audit_log (at, id) with (fillfactor = 100) where part_of is not null;
create index audit_log_part_table_idx on private.audit_log (table_name, at, id) where part_of is not null;
create index audit_log_part_person_idx on private.audit_log ((coalesce(actor::text, origin)), table_name, at, id)
  where part_of is not null;

-- The parts of an action, and the actions whose parts can be in a period that starts after their first entry.
create index audit_log_parts_idx on private.audit_log (part_of, at, id) where part_of is not null;
create index audit_log_lists_idx on private.audit_log (at, id)
  where action in ('list_invited', 'list_resent', 'list_revoked');
