-- The undo of an action: its entries name the entry that it undid, so that each of the two leads to the other.
alter table private.audit_log
  -- Null for all other entries. The service sets it after it has found the entry whose former state the transaction restores. Not a
  -- foreign key: the retention removes entries.
  add column undoes bigint default nullif(current_setting('request.undoes', true), '')::bigint;

-- Finds the newest undo of an entry. Few entries undo another one, so others cost nothing.
create index audit_log_undoes_idx on private.audit_log (undoes, id) where undoes is not null;
