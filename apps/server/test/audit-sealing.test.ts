/** Sealing: gives each entry of the audit log its position in the hash chain. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { chainStart, findChainProblem } from '../src/audit/chain-hash.ts';
import { readHead, readLinks } from '../src/audit/chain-reads.ts';
import { createSealer } from '../src/audit/seal-entries.ts';

eachEngine('sealing of the audit log', (engine) => {
  let test: TestDatabase;
  let database: TestDatabase['database'];
  beforeAll(async () => {
    test = await openTestDatabase(engine);
    database = test.database;
  });
  afterAll(() => test.dispose());
  beforeEach(async () => {
    await database.query(sql`truncate private.audit_log, private.audit_seals, private.audit_checkpoints`);
  });

  const insert = (name: string, db: Pick<typeof database, 'query'> = database) =>
    db.query(sql`insert into private.audit_log (table_name, action, after)
      values ('public.accounts', 'INSERT', ${JSON.stringify({ name })}::jsonb)`);
  const insertAll = async (...names: string[]) => {
    for (const name of names) await insert(name);
  };
  /** Names of the sealed entries in the order of the chain. */
  const sealed = async () =>
    (
      await database.query<{ name: string }>(sql`select l.after ->> 'name' as name from private.audit_seals s
        left join private.audit_log l on l.id = s.entry_id order by s.position`)
    ).map(({ name }) => name);
  const expectIntactChain = async () => {
    const { position } = await readHead(database);
    let last = chainStart;
    for await (const link of readLinks(database, 0, position)) {
      expect(findChainProblem(last, link)).toBeNull();
      last = link;
    }
    expect(last.position).toBe(position);
  };

  it('continues after a kill between the hash and the commit', async () => {
    await insertAll('a', 'b');
    const killed = createSealer({
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          await work(tx);
          throw new Error('killed');
        }),
    });
    await expect(killed.seal()).rejects.toThrow('killed');
    expect(await sealed()).toEqual([]);
    await insertAll('c');
    await createSealer(database).seal();
    await expectIntactChain();
    expect(await sealed()).toEqual(['a', 'b', 'c']);
  });

  it('seals each entry once with two replicas', async () => {
    const replicas = [createSealer(database), createSealer(database)];
    const names = Array.from({ length: 450 }, (_, index) => `entry ${index}`);
    for (const name of names) {
      await insert(name);
      if (Number(name.slice(6)) % 150 === 0) await Promise.all(replicas.map((replica) => replica.seal()));
    }
    await Promise.all(replicas.map((replica) => replica.seal()));
    await createSealer(database).seal();
    expect(await sealed()).toEqual(names);
    await expectIntactChain();
  });

  it('skips no entry that is committed late, also below the settled part', async () => {
    const sealer = createSealer(database);
    for (const name of ['a', 'b', 'c', 'd']) {
      await insert(name);
      await sealer.seal();
    }
    if (engine === 'postgres') {
      await database.transaction(async (tx) => {
        await insert('late', tx);
        for (const name of ['e', 'f', 'g']) {
          await insert(name);
          await sealer.seal();
        }
        // The order is that of the IDs, so entries of newer transactions wait.
        expect(await sealed()).toEqual(['a', 'b', 'c', 'd']);
        expect(await sealer.countUnsealed()).toBe(3);
      });
    } else {
      await insertAll('late', 'e', 'f', 'g');
    }
    await sealer.seal();
    expect(await sealed()).toEqual(['a', 'b', 'c', 'd', 'late', 'e', 'f', 'g']);
    expect(await sealer.countUnsealed()).toBe(0);
    await expectIntactChain();
  });

  /** A sealer with the first ID of each search for unsealed entries. */
  const watchedSealer = () => {
    const searches: string[] = [];
    const sealer = createSealer({
      ...database,
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            query: (statement) => {
              if (statement.text.includes('age(l.xmin)')) searches.push(String(statement.values[0]));
              return tx.query(statement);
            },
          }),
        ),
    });
    return { sealer, searches };
  };

  it('reads only the unsettled part after a few calls', async () => {
    const { sealer, searches } = watchedSealer();
    await insertAll('a', 'b');
    for (let call = 0; call < 5; call += 1) await sealer.seal();
    const [row] = await database.query<{ id: string }>(sql`select max(id) as id from private.audit_log`);
    expect([searches[0], searches.at(-1)]).toEqual(['0', row?.id]);
  });

  const insertMany = (count: number) =>
    database.query(sql`insert into private.audit_log (table_name, action, after)
      select 'public.accounts', 'INSERT', jsonb_build_object('name', n::text) from generate_series(1, ${count}::int) n`);

  it('reads each entry of a backlog once', async () => {
    const { sealer, searches } = watchedSealer();
    await insertMany(450);
    await sealer.seal();
    expect(await sealed()).toEqual(Array.from({ length: 450 }, (_, n) => String(n + 1)));
    const ends = await database.query<{ id: string }>(
      sql`select entry_id as id from private.audit_seals where position in (200, 400) order by position`,
    );
    expect(searches).toEqual(['0', ...ends.map(({ id }) => id)]);
  });

  it('stops within a backlog, and the next sealer continues', async () => {
    await insertMany(450);
    const stopped = createSealer(database);
    const call = stopped.seal();
    stopped.stop();
    await call;
    expect(await sealed()).toHaveLength(200);
    await createSealer(database).seal();
    expect(await sealed()).toHaveLength(450);
    await expectIntactChain();
  });
});
