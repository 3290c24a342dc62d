/** Cells of the audit log and its hash chain: the service adds rows, changes none and deletes what the retention cuts. */
import type { Cell } from './permission-probe.ts';

const oldEntry = `insert into private.audit_log (at, table_name, action) values (now() - interval '2 days', 'x', 'INSERT')`;
const seal = (position: number): string =>
  `insert into private.audit_seals (position, entry_id, hash)
     values (${position}, (select max(id) from private.audit_log), sha256('x'))`;
const checkpoint = (position: number): string =>
  `insert into private.audit_checkpoints (position, hash, at, signature)
     values (${position}, sha256('x'), now(), repeat('a', 86))`;

/** Tables of the audit chain, each with a row: the service adds rows and changes none. */
const chainTables = [
  { table: 'audit_seals', column: 'sealed_at', row: seal(1) },
  { table: 'audit_checkpoints', column: 'at', row: checkpoint(1) },
  {
    table: 'audit_reports',
    column: 'problem',
    row: `insert into private.audit_reports (day, at, position, mailed) values (now(), now(), 1, true)`,
  },
] as const;

export const auditCells: readonly Cell[] = [
  {
    name: 'the service deletes no recent audit entry',
    as: 'owner',
    // Sealed and up to the checkpoint, so that only its age protects it.
    before: `insert into private.audit_log (table_name, action) values ('x', 'INSERT'); ${seal(1)}; ${checkpoint(1)}`,
    statement: 'delete from private.audit_log',
    expected: 'done 0',
  },
  {
    name: 'the service deletes no old audit entry that is not sealed',
    as: 'owner',
    before: `${checkpoint(9)}; ${oldEntry}`,
    statement: 'delete from private.audit_log',
    expected: 'done 0',
  },
  {
    name: 'the service deletes no sealed audit entry above the checkpoint',
    as: 'owner',
    before: `${oldEntry}; ${seal(1)}`,
    statement: 'delete from private.audit_log',
    expected: 'done 0',
  },
  {
    name: 'the service deletes old audit entries up to the checkpoint',
    as: 'owner',
    before: `${oldEntry}; ${seal(1)}; ${checkpoint(1)}`,
    statement: 'delete from private.audit_log',
    expected: 'done 1',
  },
  {
    name: 'the service deletes no seal above the checkpoint',
    as: 'owner',
    before: `${oldEntry}; ${seal(2)}; ${checkpoint(1)}`,
    statement: 'delete from private.audit_seals',
    expected: 'done 0',
  },
  {
    name: 'the service deletes seals up to the checkpoint',
    as: 'owner',
    before: `${oldEntry}; ${seal(1)}; ${checkpoint(1)}`,
    statement: 'delete from private.audit_seals',
    expected: 'done 1',
  },
  ...chainTables.flatMap(({ table, column, row }): Cell[] => [
    {
      name: `the service inserts into ${table}`,
      as: 'owner',
      statement: row,
      after: `select count(*) from private.${table}`,
      expected: 'done 1 1',
    },
    {
      name: `the service updates no row of ${table}`,
      as: 'owner',
      before: row,
      statement: `update private.${table} set ${column} = default`,
      expected: 'done 0',
    },
    // The deletion of seals depends on the checkpoint: see above.
    ...(table === 'audit_seals'
      ? []
      : [
          {
            name: `the service deletes no row of ${table}`,
            as: 'owner' as const,
            before: row,
            statement: `delete from private.${table}`,
            expected: 'done 0',
          },
        ]),
  ]),
  {
    name: 'the service updates no audit entry',
    as: 'owner',
    statement: 'update private.audit_log set actor = null',
    expected: 'done 0',
  },
  ...(
    [
      ['action', `'Exported'`, `'service'`],
      ['action', `'a;b'`, `'service'`],
      ['origin', `'exported'`, `'browser'`],
    ] as const
  ).map(([column, action, origin]): Cell => ({
    name: `rejects an audit entry with the action ${action} of the origin ${origin}`,
    as: 'owner',
    statement: `insert into private.audit_log (table_name, action, origin) values ('x', ${action}, ${origin})`,
    expected: `23514 audit_log_${column}_check`,
  })),
  {
    name: 'an audit entry without a known origin has the origin of the service',
    as: 'owner',
    statement: `insert into private.audit_log (table_name, action) values ('x', 'exported')`,
    after: `select origin from private.audit_log where table_name = 'x'`,
    expected: 'done 1 service',
  },
  {
    name: 'the change of a client has the origin of its request',
    as: 'platform admin',
    before: `select set_config('request.origin', 'console', true)`,
    statement: `update public.notification_settings set sender_name = 'Changed'`,
    after: `select origin from private.audit_log order by id desc limit 1`,
    expected: 'done 1 console',
  },
  {
    name: 'the service reads the audit log',
    as: 'owner',
    statement: 'select from private.audit_log limit 1',
    expected: 'done 1',
  },
];
