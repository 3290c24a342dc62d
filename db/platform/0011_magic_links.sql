-- Several magic links of a user are valid at a time, as recovery links are: any client can request one, and must not
-- invalidate that of the owner.
drop index auth.one_time_tokens_user_key;
create unique index one_time_tokens_user_key on auth.one_time_tokens (user_id, token_type)
  where token_type not in ('recovery', 'magic_link');
