-- Null during the first visit, which no other visit precedes.
alter table private.handover_visits alter column since drop not null;
