-- Idempotency keys of the Data API, with the responses that a retry receives again. The row is written in the
-- transaction of the insert to which it belongs.
create table private.request_keys (
  caller text not null,
  key uuid not null,
  -- SHA-256 of the request. The same key with another request is rejected.
  fingerprint bytea not null,
  -- Null only within the transaction that creates the row.
  status smallint,
  headers text,
  body text,
  created_at timestamptz not null default now(),
  constraint request_keys_pkey primary key (caller, key),
  constraint request_keys_fingerprint_check check (octet_length(fingerprint) = 32)
);

create index request_keys_created_at_idx on private.request_keys (created_at);

-- Stores the response of a request. Called at the end of its transaction; a stored response is never replaced.
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

alter table private.request_keys enable row level security;
alter table private.request_keys force row level security;

revoke all on private.request_keys from public, anon, authenticated, service_role;

create policy service on private.request_keys to current_user using (true) with check (true);
