/** Functions about the activity: what administrators and other clients changed. */
import {
  activityExportSchema,
  activityListSchema,
  activityPageSize,
  type ActivityExport,
  undoChangeSchema,
} from '@lanternrock/contract/activity';
import { undoChange } from '../accounts/undo-change.ts';
import { readActivityLines, type ActivityRow } from '../activity/activity.ts';
import { readActivityGroups, readGroupEntries } from '../activity/activity-groups.ts';
import { readActivityPeople } from '../activity/activity-people.ts';
import { toExportLine } from '../audit/entry.ts';
import { filteredHeader } from '../audit/export-chain.ts';
import { recordAction } from '../audit-log.ts';
import { formatCsvHeader, csvLines } from '../csv.ts';
import { batchRows, readBatches } from '../keyset-batches.ts';
import { defineDownload } from './define-download.ts';
import { functionLimits } from './function-limits.ts';
import { defineFunction, type FunctionCall } from './define-function.ts';

export const listActivity = defineFunction({
  name: 'list-activity',
  input: activityListSchema,
  noStore: true,
  work: async ({ input, transaction }) => {
    const { limit = activityPageSize, group, ...filter } = input;
    // One row more tells if there are further entries.
    const rows = await transaction(async (tx) => {
      if (group === undefined) return readActivityGroups(tx, { ...filter, limit: limit + 1 });
      const entries = await readGroupEntries(tx, { ...filter, group, limit: limit + 1 });
      return entries.map((entry) => ({ ...entry, count: 1, further: [] }));
    });
    return { entries: rows.slice(0, limit), more: rows.length > limit };
  },
});

/** Reverts a change of an account, of its contacts or of a member, while the row is as the change left it. */
export const undoChangeFunction = defineFunction({
  name: 'undo-change',
  limit: functionLimits.accounts,
  input: undoChangeSchema,
  work: async ({ input, principal, transaction }) => {
    await transaction((tx) => undoChange(tx, { change: input, actorId: principal.userId }));
    return { success: true };
  },
});

export const listActivityPeople = defineFunction({
  name: 'list-activity-people',
  input: null,
  noStore: true,
  work: async ({ transaction }) => ({
    people: await transaction(readActivityPeople),
  }),
});

/** Sends the whole list. Each export is an entry itself, and ends before its own entry. */
export const exportActivity = defineDownload({
  name: 'export-activity',
  limit: functionLimits.exports,
  input: activityExportSchema,
  file: (call) => {
    const { format } = call.input;
    return {
      name: `activity.${format}`,
      type: format === 'csv' ? 'text/csv' : 'application/jsonl',
      chunks: exportChunks(call),
    };
  },
});

async function* exportChunks({
  input,
  transaction,
  auditChain,
}: FunctionCall<ActivityExport>): AsyncGenerator<string, void, undefined> {
  const { format, ...filter } = input;
  const ownId = await transaction((tx) =>
    recordAction(tx, {
      action: 'exported',
      table: 'exports',
      id: null,
      details: { list: 'activity', format, ...filter },
    }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (format === 'jsonl' && !isFiltered) return yield* verifiableChunks(auditChain, transaction);
  yield format === 'csv' ? formatCsvHeader(columns) : filteredHeader;
  const batches = readBatches<ActivityRow>((last) =>
    transaction((tx) => readActivityLines(tx, { ...filter, before: last?.id ?? ownId, limit: batchRows })),
  );
  for await (const rows of batches)
    yield format === 'csv'
      ? csvLines(rows.map(toCells))
      : rows.map(({ entry, actor_name: actor }) => `${toExportLine(entry, actor)}\n`).join('');
}

/** All sealed entries with their hashes, oldest first, as `lanternrock audit export` writes them. */
async function* verifiableChunks(
  auditChain: FunctionCall<ActivityExport>['auditChain'],
  transaction: FunctionCall<ActivityExport>['transaction'],
): AsyncGenerator<string, void, undefined> {
  let lines: string[] = [];
  for await (const line of auditChain.exportLines()) {
    lines.push(line);
    if (lines.length < batchRows) continue;
    yield lines.join('');
    lines = [];
    // Authorizes the caller again.
    await transaction(async () => {});
  }
  yield lines.join('');
}

const columns = [
  'id',
  'time',
  'person',
  'email',
  'origin',
  'action',
  'kind',
  'record',
  'record_id',
  'changes',
  'undoes',
  'undone_by',
];

const toCells = (row: ActivityRow): (string | null)[] => [
  row.id,
  row.at,
  row.actor_name ?? row.actor_id,
  row.actor_email,
  row.origin,
  row.action,
  row.table_name,
  [row.record_name, row.member_name].filter((name) => name !== null).join(' · '),
  row.record_id,
  row.changes
    .map(({ field, before, after }) => `${field}: ${before ?? '(none)'} → ${after ?? '(none)'}`)
    .join('; '),
  row.undoes,
  row.undone_by,
];
