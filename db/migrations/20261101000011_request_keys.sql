-- Answers to inserts that carried an Idempotency-Key: a request that is sent twice, because its answer
-- was lost, is done once. A row is written in the same transaction as the insert it belongs to.
create table private.request_keys (
  caller text not null,
  key uuid not null,
  -- SHA-256 of what was asked; the same key with another request is refused.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Null only inside the transaction that makes the row.
  status smallint,
  headers text,
  body text,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index request_keys_created_at_idx on private.request_keys (created_at);
alter table private.request_keys enable row level security;
alter table private.request_keys force row level security;
revoke all on private.request_keys from public, anon, authenticated, service_role;
create policy service on private.request_keys to current_user using (true) with check (true);

-- Called at the end of the caller's own transaction; an answer that was kept is never replaced.
create function private.keep_answer(
  answered_caller text, answered_key uuid, answer_status smallint, answer_headers text, answer_body text
) returns void
  language sql volatile security definer
  set search_path = ''
  begin atomic
    update private.request_keys
      set status = answer_status, headers = answer_headers, body = answer_body
      where caller = answered_caller and key = answered_key and status is null;
  end;
grant execute on function private.keep_answer(text, uuid, smallint, text, text) to authenticated, service_role;
