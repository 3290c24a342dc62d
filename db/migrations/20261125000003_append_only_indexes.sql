-- New entries and seals have the highest keys, so these indexes grow only at their end. The default leaves a tenth of each
-- page free for keys between others.
alter index private.audit_log_pkey set (fillfactor = 100);
alter index private.audit_log_newest_idx set (fillfactor = 100);
alter index private.audit_seals_pkey set (fillfactor = 100);
alter index private.audit_seals_entry_id_key set (fillfactor = 100);
