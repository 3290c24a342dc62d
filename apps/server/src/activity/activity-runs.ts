/** Compiles reads of the entries of an action of several requests (`audit-run.ts`): of a run, or of an action on a list. */
import { maxRunHours } from '../audit-run.ts';
import { type ActivityScan, compileRecord, type ScanPosition } from './activity-scan.ts';

interface RunRange {
  /** Of an entry of the run, with the columns `run_id` and `at`; with `parts`, of the entry that sums up the action. */
  readonly alias: string;
  readonly scan: Pick<ActivityScan, 'conditions' | 'recordId'>;
  readonly ascending: boolean;
  /** Exclusive. */
  readonly after: ScanPosition;
  /** Exclusive. */
  readonly before: ScanPosition;
  readonly limit: string;
  /** The parts of an action on a list. */
  readonly parts?: boolean;
}

/**
 * Returns a select of the entries of a run that match a filter. A run can have 200,000 entries. With a filter by record, it reads
 * the few entries of the record in the time of a run instead, and looks for those of the run among them.
 */
export function selectInRun({
  alias,
  scan: { conditions, recordId },
  ascending,
  after,
  before,
  limit,
  parts = false,
}: RunRange): string {
  const record = compileRecord('r');
  const [column, value] = parts
    ? ['r.part_of', `${alias}.id`]
    : recordId === null
      ? ['r.run_id', `${alias}.run_id`]
      : [record, recordId];
  const compare = (operator: string, [at, id]: ScanPosition): string =>
    `(${column}, r.at, r.id) ${operator} (${value}, ${at}, ${id})`;
  const ofRun = parts
    ? ['r.part_of is not null']
    : recordId === null
      ? // The condition of audit_log_run_idx, which the planner does not derive from a comparison of rows.
        ['r.run_id is not null']
      : [
          // An equality would leave the planner the index of runs.
          `r.run_id is not distinct from ${alias}.run_id`,
          `r.at between ${alias}.at - interval '${maxRunHours} hours' and ${alias}.at + interval '${maxRunHours} hours'`,
        ];
  const all = [
    compare('>', after),
    compare('<', before),
    ...ofRun,
    ...conditions.map((condition) => condition.replaceAll(/\bl\./g, 'r.')),
  ];
  const order = ascending ? 'asc' : 'desc';
  return `select r.* from private.audit_log r where ${all.join(' and ')}
    order by ${column} ${order}, r.at ${order}, r.id ${order} limit ${limit}`;
}
