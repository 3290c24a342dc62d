-- An unlogged table is empty after a crash and on a promoted standby, which would give an attacker new attempts. Hosted
-- projects do not have the table.
alter table if exists auth.rate_limits set logged;
