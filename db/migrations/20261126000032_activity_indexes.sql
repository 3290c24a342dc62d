-- A person's entries by table: the activity of a person and a kind reads these entries only, and the activity of a person
-- merges the tables. Before, a person with many entries of other kinds was read completely.
drop index private.audit_log_person_idx;
create index audit_log_person_idx on private.audit_log ((coalesce(actor::text, origin)), table_name, at, id);
