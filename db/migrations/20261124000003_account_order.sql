-- The orders of the account list. Each one ends with the ID, so that equal values have a fixed order.

-- Names sort by their folded text in the order of code points, so that the order does not depend on the locale and the
-- engine of the database. A domain, because the result of a function of a row has the collation of its type.
create domain private.folded_text as text collate "C";
grant usage on type private.folded_text to authenticated, service_role;

-- A computed column of accounts. The argument has no name, so that clients cannot call the function.
create function public.name_key(public.accounts) returns private.folded_text
  language sql immutable parallel safe
  return private.fold_text($1.name)::private.folded_text;

grant execute on function public.name_key(public.accounts) to authenticated, service_role;

create index accounts_name_key_idx on public.accounts ((private.fold_text(name)::private.folded_text), id);
create index accounts_type_idx on public.accounts (account_type, id);
create index accounts_status_idx on public.accounts (status, id);
create index accounts_updated_idx on public.accounts (updated_at, id);
