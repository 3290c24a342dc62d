/**
 * The database structure as readable text, the same for every version and engine: db/schema.sql. Read from
 * the catalog, because the embedded engine has no pg_dump.
 */
import type { Database, Statement } from '@lanternrock/postgres';

const schemas = `('auth', 'private', 'public', 'platform')`;

/** One query per kind of object. Each returns lines of text in a stable order. */
const parts: readonly (readonly [title: string, text: string])[] = [
  [
    'Types',
    `select format('create type %s as enum (%s);', t.oid::regtype,
              (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
       from pg_type t where t.typtype = 'e' and t.typnamespace::regnamespace::text in ${schemas} order by 1`,
  ],
  [
    'Tables',
    `select format(E'create table %s (\n%s\n);', c.oid::regclass,
              string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                case when a.attnotnull then ' not null' else '' end,
                case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                     when a.attidentity <> '' then ' generated always as identity'
                     when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end),
                E',\n' order by a.attnum))
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ${schemas}
      group by c.oid order by c.oid::regclass::text`,
  ],
  [
    // Postgres versions print the text of a view differently. Its columns, options and sources are the same.
    'Views',
    `select format(E'create view %s%s as (\\n%s\\n); -- reads %s', c.oid::regclass,
              coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''),
              (select string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)
                 from pg_attribute a where a.attrelid = c.oid and a.attnum > 0),
              (select string_agg(distinct d.refobjid::regclass::text, ', ') from pg_rewrite r
                 join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
                  and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid where r.ev_class = c.oid))
       from pg_class c where c.relkind = 'v' and c.relnamespace::regnamespace::text in ${schemas} order by c.oid::regclass::text`,
  ],
  [
    'Constraints',
    `select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where contype in ('p', 'u', 'c', 'f', 'x') and connamespace::regnamespace::text in ${schemas}
        and conrelid <> 0 order by conrelid::regclass::text, conname`,
  ],
  [
    'Indexes',
    `select pg_get_indexdef(i.indexrelid) || ';' from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace::regnamespace::text in ${schemas}
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      order by 1`,
  ],
  [
    'Functions',
    `select pg_get_functiondef(p.oid) || ';' from pg_proc p
      where p.pronamespace::regnamespace::text in ${schemas} and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by p.oid::regprocedure::text`,
  ],
  [
    'Triggers',
    `select pg_get_triggerdef(t.oid) || ';' from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace::regnamespace::text in ${schemas} order by c.oid::regclass::text, t.tgname`,
  ],
  [
    'Row level security',
    `select format('alter table %s%s%s;', c.oid::regclass,
              case when c.relrowsecurity then ' enable' else ' disable' end,
              case when c.relforcerowsecurity then ' and force' else '' end)
       from pg_class c where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('auth', 'private', 'public')
      order by c.oid::regclass::text`,
  ],
  [
    'Policies',
    `select format('create policy %I on %I.%I for %s to %s%s%s;', policyname, schemaname, tablename, lower(cmd),
              (select string_agg(case when r = session_user then 'owner' else r::text end, ', '
                 order by case when r = session_user then 'owner' else r::text end) from unnest(roles) r),
              coalesce(' using (' || qual || ')', ''), coalesce(' with check (' || with_check || ')', ''))
       from pg_policies where schemaname in ${schemas} order by schemaname, tablename, policyname`,
  ],
  [
    'Grants',
    `select distinct format('grant %s%s on %s to %s;', lower(privilege_type), coalesce(' (' || column_name || ')', ''), object, grantee)
       from (
         select x.privilege_type, null::text as column_name, c.oid::regclass::text as object, x.grantee::regrole::text as grantee
           from pg_class c, aclexplode(c.relacl) x where c.relnamespace::regnamespace::text in ${schemas} and x.grantee <> c.relowner
         union all
         select x.privilege_type, a.attname, c.oid::regclass::text, x.grantee::regrole::text
           from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) x
          where c.relnamespace::regnamespace::text in ${schemas} and x.grantee <> c.relowner
         union all
         select x.privilege_type, null, 'function ' || p.oid::regprocedure::text, x.grantee::regrole::text
           from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
          where p.pronamespace::regnamespace::text in ${schemas} and x.grantee <> p.proowner
            and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
         union all
         select x.privilege_type, null, 'schema ' || n.nspname, x.grantee::regrole::text
           from pg_namespace n, aclexplode(n.nspacl) x where n.nspname in ${schemas} and x.grantee <> n.nspowner
       ) g where grantee <> session_user order by 1`,
  ],
];

const plain = (text: string): Statement => ({ text, values: [] });

export async function dumpSchema(database: Database): Promise<string> {
  const sections = await database.transaction(async (tx) => {
    // Names are printed with their schema for any search path of the login.
    await tx.query(plain(`select set_config('search_path', '', true)`));
    const texts: string[] = [];
    for (const [title, text] of parts) {
      const rows = await tx.query<Record<string, string>>(plain(text));
      texts.push([`-- ${title}`, ...rows.map((row) => Object.values(row)[0] ?? '')].join('\n'));
    }
    return texts;
  });
  const heading =
    '-- The structure that the migrations make. Generated; a test compares it: npm run generate -- schema';
  return `${[heading, ...sections].join('\n\n')}\n`;
}
