/** Property of the activity: each entry is part of one action, on all pages, with every filter, and while actions go on. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { maxFurtherEntries } from '@lanternrock/contract/activity-limits';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { readActivityGroups, readGroupEntries } from '../src/activity/activity-groups.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

/** A transaction that writes entries. */
interface Write {
  /** Minutes after the first possible one. */
  readonly minute: number;
  readonly run: number | null;
  readonly person: number;
  readonly hasRequest: boolean;
  readonly entries: readonly { readonly table: string; readonly record: string }[];
}

interface Entry {
  readonly id: string;
  /** Of the transaction. */
  readonly request: string;
  readonly minute: number;
  readonly run: string | null;
  readonly actor: string;
  readonly table: string;
  readonly record: string;
}

const start = Date.parse('2026-11-01T08:00:00Z');
const timeOf = (minute: number): string => new Date(start + minute * 60_000).toISOString();
const uuid = (group: number, number: number): string =>
  `0000000${group}-0000-4000-8000-${String(number).padStart(12, '0')}`;

const anyEntry = fc.record({
  table: fc.constantFrom('public.accounts', 'imports', 'private.invitations'),
  record: fc.constantFrom('r1', 'r2', 'r3'),
});
const anyWrite = fc.record({
  minute: fc.nat(8),
  // Most runs have several transactions.
  run: fc.constantFrom(null, null, 0, 0, 1),
  person: fc.nat(1),
  hasRequest: fc.boolean(),
  entries: fc.array(anyEntry, { minLength: 1, maxLength: 14 }),
});
const anyFilter = fc.record(
  {
    person: fc.constantFrom(uuid(1, 0), uuid(1, 1)),
    kind: fc.constantFrom('accounts' as const, 'invitations' as const),
    record: fc.constantFrom('r1', 'r2'),
    from: fc.constantFrom(timeOf(2), timeOf(4)),
    to: fc.constantFrom(timeOf(5), timeOf(7)),
  },
  { requiredKeys: [] },
);

const matches = ({ person, kind, record, from, to }: ActivityFilter, each: Entry): boolean =>
  (person === undefined || each.actor === person) &&
  (kind === undefined || (kind === 'invitations') === (each.table === 'private.invitations')) &&
  (record === undefined || each.record === record) &&
  (from === undefined || timeOf(each.minute) >= from) &&
  (to === undefined || timeOf(each.minute) < to);

/** In the order of the log. */
const compare = (a: Entry, b: Entry): number => a.minute - b.minute || Number(a.id) - Number(b.id);

/** Returns the actions of the entries, newest first, each oldest first. */
function toActions(entries: readonly Entry[], matching: readonly Entry[]): Entry[][] {
  const keyOf = ({ run, minute, request, id }: Entry): string => {
    if (run !== null) return run;
    const requests = new Set(
      entries.filter((other) => other.minute === minute).map((other) => other.request),
    );
    return requests.size === 1 && request !== '' ? request : id;
  };
  const actions = new Map<string, Entry[]>();
  for (const each of matching.toSorted(compare)) {
    const key = keyOf(each);
    actions.set(key, [...(actions.get(key) ?? []), each]);
  }
  return [...actions.values()].toSorted((a, b) => {
    const [first, second] = [a.at(-1), b.at(-1)];
    return first && second ? compare(second, first) : 0;
  });
}

eachEngine('actions of the activity for all logs', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());

  let requests = 0;
  const insert = async ({ minute, run, person, hasRequest, entries }: Write): Promise<Entry[]> => {
    const request = hasRequest ? `request ${(requests += 1)}` : '';
    const actor = uuid(1, person);
    // Only requests of one user share a run.
    const runId = run === null ? null : uuid(2, 2 * run + person);
    const rows = await fixture.database.query<{ id: string }>(
      sql`insert into private.audit_log (at, actor, request_id, run_id, table_name, row_id, action)
          select ${timeOf(minute)}, ${actor}, nullif(${request}, ''), ${runId}, e."table", e.record, 'changed'
            from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) e ("table" text, record text)
          returning id::text`,
    );
    return entries.map((each, index) => ({
      ...each,
      id: rows[index]?.id ?? '',
      request,
      minute,
      run: runId,
      actor,
    }));
  };

  const walk = async (
    listed: ActivityFilter,
    limit: number,
    between: () => Promise<void>,
  ): Promise<ActivityGroup[]> => {
    const groups: ActivityGroup[] = [];
    for (;;) {
      const page = { ...listed, limit, before: groups.at(-1)?.id, newest: groups[0]?.id };
      const read = await fixture.database.transaction((tx) => readActivityGroups(tx, page));
      groups.push(...read);
      if (read.length < limit) return groups;
      await between();
    }
  };
  const open = async (group: string, listed: ActivityFilter): Promise<string[]> => {
    const { from: _from, to: _to, ...others } = listed;
    const ids: string[] = [];
    for (;;) {
      const page = { ...others, group, before: ids.at(-1), limit: 7 };
      const read = await fixture.database.transaction((tx) => readGroupEntries(tx, page));
      ids.push(...read.map(({ id }) => id));
      if (read.length < 7) return ids;
    }
  };

  it('has each entry once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyWrite, { minLength: 1, maxLength: 8 }),
        fc.array(anyWrite, { maxLength: 3 }),
        anyFilter,
        fc.integer({ min: 1, max: 3 }),
        async (earlier, later, listed, limit) => {
          await fixture.database.maintenance((tx) =>
            fixture.database.script(tx, 'truncate private.audit_log'),
          );
          const before: Entry[] = [];
          for (const each of earlier) before.push(...(await insert(each)));
          const all = [...before];
          let minute = 8;
          const groups = await walk(listed, limit, async () => {
            const next = later[minute - 8];
            minute += 1;
            if (next) all.push(...(await insert({ ...next, minute })));
          });
          const expected = toActions(
            before,
            before.filter((each) => matches(listed, each)),
          );
          expect(groups.map(({ id, count, further }) => [id, count, further.map((each) => each.id)])).toEqual(
            expected.map((action) => [
              action.at(-1)?.id,
              action.length,
              action.slice(0, Math.min(action.length - 1, maxFurtherEntries)).map(({ id }) => id),
            ]),
          );
          const { from: _from, to: _to, ...others } = listed;
          const opened = toActions(
            all,
            all.filter((each) => matches(others, each)),
          );
          for (const { id } of groups.slice(0, 3)) {
            const action = opened.find((each) => each.some((one) => one.id === id)) ?? [];
            expect(await open(id, listed)).toEqual(action.map((each) => each.id).toReversed());
          }
        },
      ),
      { numRuns: runs({ short: 30, long: 1000 }), seed },
    );
  });
});
