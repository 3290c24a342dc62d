-- The two questions that nearly every policy asks. A function in SQL is planned anew by each statement
-- that calls it, which took longer than a page of accounts; PL/pgSQL keeps the plan with the connection.
create or replace function private.is_platform_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return exists (
    select from public.user_roles r where r.user_id = auth.uid() and r.role = 'platform_admin'
  );
end
$$;

create or replace function private.own_account_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return query
    select m.account_id from public.account_members m
      where m.user_id = auth.uid() and m.status = 'active';
end
$$;
