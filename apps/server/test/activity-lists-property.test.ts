/** Property of the activity: an action on a list is one entry, in every period that has a part of it, and an export has all entries. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { maxFurtherEntries } from '@lanternrock/contract/activity-limits';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { readActivityLines } from '../src/activity/activity.ts';
import { readActivityGroups, readGroupEntries } from '../src/activity/activity-groups.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly request: string;
  readonly actor: string;
  readonly table: string;
  readonly record: string;
  /** ID of the entry that sums up the list; null for one that is no part of a list. */
  readonly part: string | null;
}

const start = Date.parse('2026-11-01T08:00:00Z');
/** No two transactions have the same time. */
const timeOf = (minute: number, second = 0): string =>
  new Date(start + minute * 60_000 + second * 1000).toISOString();
const userId = (number: number): string => `00000001-0000-4000-8000-${String(number).padStart(12, '0')}`;

const anyEntry = fc.record({
  table: fc.constantFrom('public.profiles', 'private.invitations'),
  record: fc.constantFrom('r1', 'r2', 'r3'),
});
/** A list belongs to the user with its number. */
const anyWrite = fc.record({
  minute: fc.nat(8),
  list: fc.constantFrom(null, 0, 0, 1),
  person: fc.nat(1),
  entries: fc.array(anyEntry, { minLength: 1, maxLength: 8 }),
});
const anyFilter = fc.record(
  {
    person: fc.constantFrom(userId(0), userId(1)),
    kind: fc.constantFrom('administrators' as const, 'invitations' as const),
    record: fc.constantFrom('r1', 'r2'),
    from: fc.constantFrom(timeOf(2), timeOf(4)),
    to: fc.constantFrom(timeOf(5), timeOf(7)),
  },
  { requiredKeys: [] },
);

const isOf = ({ person, kind, record }: ActivityFilter, each: Entry): boolean =>
  (person === undefined || each.actor === person) &&
  (kind === undefined || (kind === 'invitations') === (each.table === 'private.invitations')) &&
  (record === undefined || each.record === record);
const isIn = ({ from, to }: ActivityFilter, { at }: Entry): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to);
const compare = (a: Entry, b: Entry): number => a.at.localeCompare(b.at) || Number(a.id) - Number(b.id);

interface Write {
  readonly minute: number;
  readonly list: number | null;
  readonly person: number;
  readonly entries: readonly { readonly table: string; readonly record: string }[];
}

interface Action {
  /** By whose place the action is listed. */
  readonly head: Entry;
  /** The others, oldest first. */
  readonly others: readonly Entry[];
}

/** Returns the actions of a list, newest first. */
function toActions(entries: readonly Entry[], listed: ActivityFilter): Action[] {
  const heads = new Set(entries.flatMap(({ part }) => part ?? []));
  const isListed = listed.record === undefined;
  const single = entries.filter(
    (each) =>
      isOf(listed, each) && isIn(listed, each) && !(isListed && (each.part !== null || heads.has(each.id))),
  );
  const transactions = new Map<string, Entry[]>();
  for (const each of single.toSorted(compare))
    transactions.set(each.request, [...(transactions.get(each.request) ?? []), each]);
  const actions = [...transactions.values()].flatMap((all): Action[] => {
    const head = all.at(-1);
    return head ? [{ head, others: all.slice(0, -1) }] : [];
  });
  for (const head of isListed ? entries.filter(({ id }) => heads.has(id)) : []) {
    const parts = entries.filter(({ part }) => part === head.id).toSorted(compare);
    const isEarlier = listed.from !== undefined && head.at < listed.from;
    const isInPeriod = isEarlier
      ? parts.some(({ at }) => at >= (listed.from ?? '')) && (listed.to === undefined || head.at < listed.to)
      : isIn(listed, head);
    const others = parts.filter((each) => isOf(listed, each) && isIn({ to: listed.to }, each));
    if (isOf(listed, head) && isInPeriod) actions.push({ head, others });
  }
  return actions.toSorted((a, b) => compare(b.head, a.head));
}

eachEngine('actions on lists for all logs', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());

  const insert = async (
    rows: readonly Omit<Entry, 'id'>[],
    action: 'changed' | 'list_invited',
  ): Promise<Entry[]> => {
    const stored = await fixture.database.query<{ id: string }>(
      sql`insert into private.audit_log (at, actor, request_id, table_name, row_id, action, part_of)
          select e.at, e.actor, e.request, e."table", e.record, ${action}, e.part
            from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
              e (at timestamptz, actor uuid, request text, "table" text, record text, part bigint)
          returning id::text`,
    );
    return rows.map((each, index) => ({ ...each, id: stored[index]?.id ?? '' }));
  };
  const insertAll = async (writes: readonly Write[]): Promise<Entry[]> => {
    const all: Entry[] = [];
    const lists = new Map<number, string>();
    for (const [index, each] of writes.toSorted((a, b) => a.minute - b.minute).entries()) {
      const { list, minute } = each;
      const write = {
        at: timeOf(minute, index),
        request: `request ${index}`,
        actor: userId(list ?? each.person),
      };
      let part: string | null = null;
      if (list !== null) {
        const head = { ...write, table: 'private.invitations', record: `list ${list}`, part: null };
        if (!lists.has(list)) {
          const [stored] = await insert([head], 'list_invited');
          if (!stored) throw new Error('no entry');
          all.push(stored);
          lists.set(list, stored.id);
        }
        part = lists.get(list) ?? null;
      }
      const rows = each.entries.map((entry) => ({ ...write, ...entry, part }));
      all.push(...(await insert(rows, 'changed')));
    }
    return all;
  };
  const walk = async (listed: ActivityFilter, limit: number): Promise<ActivityGroup[]> => {
    const groups: ActivityGroup[] = [];
    for (;;) {
      const page = { ...listed, limit, before: groups.at(-1)?.id, newest: groups[0]?.id };
      const read = await fixture.database.transaction((tx) => readActivityGroups(tx, page));
      groups.push(...read);
      if (read.length < limit) return groups;
    }
  };
  const open = async (group: string, listed: ActivityFilter): Promise<string[]> => {
    const { from: _from, to: _to, ...others } = listed;
    const ids: string[] = [];
    for (;;) {
      const page = { ...others, group, before: ids.at(-1), limit: 5 };
      const read = await fixture.database.transaction((tx) => readGroupEntries(tx, page));
      ids.push(...read.map(({ id }) => id));
      if (read.length < 5) return ids;
    }
  };

  it('has each list once, and each other entry once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyWrite, { minLength: 1, maxLength: 9 }),
        anyFilter,
        fc.integer({ min: 1, max: 3 }),
        async (writes, listed, limit) => {
          await fixture.database.maintenance((tx) =>
            fixture.database.script(tx, 'truncate private.audit_log'),
          );
          const entries = await insertAll(writes);
          const actions = toActions(entries, listed);
          const groups = await walk(listed, limit);
          expect(groups.map(({ id, count, further }) => [id, count, further.map((each) => each.id)])).toEqual(
            actions.map(({ head, others }) => [
              head.id,
              others.length + 1,
              others.slice(0, maxFurtherEntries).map(({ id }) => id),
            ]),
          );
          const { from: _from, to: _to, ...untimed } = listed;
          const { head } = toActions(entries, untimed).find((action) => action.others.length > 0) ?? {};
          if (head) {
            const parts = entries.filter((each) => each.part === head.id && listed.record === undefined);
            const others = parts.length > 0 ? parts : entries.filter((each) => each.request === head.request);
            const matching = others.filter((each) => isOf(listed, each)).toSorted(compare);
            expect(await open(head.id, listed)).toEqual(matching.map(({ id }) => id).toReversed());
          }
          const lines = await fixture.database.transaction((tx) =>
            readActivityLines(tx, { ...listed, limit: 200 }),
          );
          expect(lines.map(({ id }) => id)).toEqual(
            entries
              .filter((each) => isOf(listed, each) && isIn(listed, each))
              .toSorted(compare)
              .map(({ id }) => id)
              .toReversed(),
          );
        },
      ),
      { numRuns: runs({ short: 20, long: 1000 }), seed },
    );
  });
});
