-- New entries and seals almost always have the highest keys (an entry of a long transaction has a lower one), so these indexes
-- grow at their end. The default leaves a tenth of each page free for keys between others.
alter index private.audit_log_pkey set (fillfactor = 100);
alter index private.audit_log_newest_idx set (fillfactor = 100);
alter index private.audit_seals_pkey set (fillfactor = 100);
alter index private.audit_seals_entry_id_key set (fillfactor = 100);
