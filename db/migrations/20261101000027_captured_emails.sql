-- Without a mail server an email stays in the local mailbox. That is no delivery, so it has a status of its own.
alter table private.deliveries drop constraint deliveries_status_check;
alter table private.deliveries add constraint deliveries_status_check
  check (status in ('waiting', 'handed_over', 'captured', 'refused', 'timed_out'));
