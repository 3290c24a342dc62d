/** Fills a database as a large instance: accounts with names as offices have them, and the audit log of their import. */

/** About 64,000 places of three syllables; twelve kinds of organizations, so every twelfth name contains a word. */
const names = `
  select n, initcap(syllables[1 + h % 40] || syllables[1 + h / 40 % 40] || syllables[1 + h / 1600 % 40]) || ' '
    || kinds[1 + n % 12] as name, h
  from (select n, abs(hashint8(n)) as h from generate_series($1::bigint, $2::bigint) n) numbers,
    (select
      regexp_split_to_array('bal ber car dal dor el fal gar hol in jas kel lan lor mar mel mor nal nor ol pen per quin ra rin sal ' ||
        'ser sol tal tar tel tor ul val ver vin wel yar zan zel', ' ') as syllables,
      array['Mountain Rescue Team', 'Fire Department', 'Ski Patrol', 'Search and Rescue', 'Lifeguard Service', 'Harbor Master',
        'Volunteer Fire Company', 'Police Department', 'Emergency Medical Services', 'Park Service', 'Hospital',
        'Ambulance Service'] as kinds) words`;

const batch = 100_000;

/**
 * Adds accounts up to `count`, each with the entry of its import, after a year of other entries. The accounts are one second
 * apart; the last one is from now.
 */
export async function fillLargeInstance({ query, userId }, count) {
  const [{ present }] = await query('select count(*)::int as present from public.accounts');
  if (present >= count) return;
  // Created at the end: that takes a fraction of the time of a million changes of each index.
  const indexes = await query(indexDefinitions);
  for (const { name } of indexes) await query(`drop index ${name}`);
  await query('alter table public.accounts disable trigger user');
  if (present === 0) await query(olderEntries, [userId]);
  for (let first = present + 1; first <= count; first += batch)
    await query(accountsAndEntries, [first, Math.min(first + batch - 1, count), count, userId]);
  await query('alter table public.accounts enable trigger user');
  for (const { definition } of indexes) await query(definition);
  await query('vacuum analyze public.accounts');
  await query('vacuum analyze private.audit_log');
}

/** The indexes of no constraint. */
const indexDefinitions = `
  select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid in ('public.accounts'::regclass, 'private.audit_log'::regclass) and not i.indisprimary`;

const accountsAndEntries = `
  with imported as (
    insert into public.accounts (name, slug, account_type, status, city, state, created_by, created_at, updated_at)
    select name, replace(lower(name), ' ', '-'), (array['enterprise', 'organization'])[1 + n % 2]::public.account_type,
      case when n % 10 = 0 then 'suspended' else 'active' end, initcap(left(name, 4)) || 'ville', 'CO', $4,
      now() - ($3::bigint - n) * interval '1 second', now() - (n * 7919 % 1000003) * interval '1 second'
    from (${names}) named
    returning *)
  insert into private.audit_log (at, actor, request_id, table_name, row_id, action, after, origin)
  select created_at, $4, 'import', 'public.accounts', id::text, 'INSERT', to_jsonb(imported), 'console'
    from imported order by created_at`;

/** Every other kind of entries, from the year before the import. */
const olderEntries = `
  insert into private.audit_log (at, actor, request_id, table_name, row_id, action, before, after, origin)
  select now() - interval '380 days' + n * interval '3 hours', $1, 'earlier', tables[1 + n % 7], gen_random_uuid()::text, 'UPDATE',
      '{"status": "pending"}', '{"status": "active"}', 'console'
    from generate_series(1, 2000) n,
      (select array['public.account_members', 'public.user_roles', 'public.profiles', 'private.invitations',
        'public.notification_settings', 'exports', 'operations'] as tables) kinds`;
