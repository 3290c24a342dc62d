/** The hash chain of the audit log: export, verification, retention. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, sql } from '@lanternrock/postgres';
import { findChainProblem, chainStart } from '../src/audit/chain-hash.ts';
import { readLinks } from '../src/audit/chain-reads.ts';
import { auditCommand } from '../src/cli/commands/audit.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const day = 86_400_000;

eachEngine('the chain of the audit log', (engine) => {
  let test: TestService;
  let database: Database;
  let now = new Date();
  beforeAll(async () => {
    test = await startTestService(engine, { settings: { AUDIT_RETENTION: '30' }, now: () => now });
    database = test.database;
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    now = new Date();
    await database.query(sql`truncate private.audit_log, private.audit_seals, private.audit_checkpoints`);
  });

  const insert = (name: string, at = new Date(), db: Pick<Database, 'query'> = database) =>
    db.query(sql`insert into private.audit_log (table_name, action, at, after)
      values ('public.accounts', 'INSERT', ${at}, ${JSON.stringify({ name })}::jsonb)`);
  const insertAll = async (...names: string[]) => {
    for (const name of names) await insert(name);
  };
  /** Names of the sealed entries in the order of the chain. */
  const sealed = async () =>
    (
      await database.query<{ name: string }>(sql`select l.after ->> 'name' as name from private.audit_seals s
        left join private.audit_log l on l.id = s.entry_id order by s.position`)
    ).map(({ name }) => name);
  const exportLines = async (): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of test.service.auditChain.exportLines()) lines.push(line);
    return lines;
  };
  /** Verifies a file with these lines, as the command does. */
  const verify = async (
    lines: readonly string[] | Buffer,
    options: { head?: string; keys?: string[] } = {},
  ) => {
    const output = captureOutput(test.config.DATA_DIR);
    fs.writeFileSync(
      path.join(test.config.DATA_DIR, 'export.jsonl'),
      Buffer.isBuffer(lines) ? lines : lines.join(''),
    );
    const keys = options.keys ?? [test.service.auditChain.publicKey];
    const head = options.head === undefined ? [] : ['--head', options.head];
    const args = ['verify', 'export.jsonl', ...keys.map((key) => `--key=${key}`), ...head];
    const code = await auditCommand.parse(args).run(test.service, output);
    return { code, lines: output.all };
  };
  const problem = (text: string) => ({ code: 1, lines: [text] });
  const headOf = (lines: readonly string[]) =>
    (
      JSON.parse(lines.at(-1) ?? '') as {
        head: { position: number; hash: string; at: string; unsealed: number };
      }
    ).head;

  it('seals committed entries in their order and verifies the export', async () => {
    await insertAll('a', 'b', 'c', 'd');
    const lines = await exportLines();
    expect(await sealed()).toEqual(['a', 'b', 'c', 'd']);
    expect(lines).toHaveLength(6);
    const { at, position, unsealed } = headOf(lines);
    expect([position, unsealed]).toEqual([4, 0]);
    expect(await verify(lines)).toEqual({
      code: 0,
      lines: [`Entries 1 to 4 are unchanged. The head was signed at ${at}.`],
    });
  });

  it('exports and verifies an empty log', async () => {
    const lines = await exportLines();
    expect(await verify(lines)).toEqual({
      code: 0,
      lines: [`The export has no entries. Its head, entry 0, was signed at ${headOf(lines).at}.`],
    });
  });

  it('names the first entry that does not fit', async () => {
    await insertAll('a', 'b', 'c', 'd');
    const lines = await exportLines();
    const [header = '', first = '', second = '', third = '', fourth = '', head = ''] = lines;
    const changed = second.replace('"name": "b"', '"name": "B"');
    expect(changed).not.toBe(second);
    const cases: [string[], string][] = [
      [
        [header, first, changed, third, fourth, head],
        'Line 3: entry 2 was changed: its hash does not match.',
      ],
      [[header, first, third, fourth, head], 'Line 3: entry 2 is missing or moved: entry 3 is in its place.'],
      [
        [header, first, third, second, fourth, head],
        'Line 3: entry 2 is missing or moved: entry 3 is in its place.',
      ],
      [[header, first, second, third, head], 'Line 5: entry 4 is missing: the signed head is entry 4.'],
      [[header, first, second, head], 'Line 4: entry 3 is missing: the signed head is entry 4.'],
      [
        [header, first, second, third, fourth],
        'The signed head is missing: the end of the export was removed.',
      ],
      [
        [header, first, second.slice(0, 20)],
        'The signed head is missing: the end of the export was removed.',
      ],
      [[first, second, third, fourth, head], 'Line 1: this is not the start of an audit export.'],
      [
        [header, first, second, 'x\n', fourth, head],
        'Line 4: entry 3 was changed: the line is not as it was exported.',
      ],
      [
        [header, first, second, third, fourth, head.replace('"position":4', '"position":3')],
        'Line 6: the signature of the head does not match the key.',
      ],
      [
        [header, first, second, third, fourth, head.replace('"at"', ' "at"')],
        'Line 6: the signed head was changed.',
      ],
      [[...lines, first], 'Line 7: there is more data after the signed head.'],
      [[], 'The file is empty.'],
      [
        ['{"format":"lanternrock-audit","filtered":true}\n', first],
        'This export is filtered and cannot be verified. Export without filters.',
      ],
    ];
    for (const [tampered, message] of cases) expect(await verify(tampered)).toEqual(problem(message));
  });

  it('rejects the key of another instance, and invalid arguments', async () => {
    await insertAll('a');
    const lines = await exportLines();
    const other = 'A'.repeat(42) + 'E';
    expect(await verify(lines, { keys: [other] })).toEqual(
      problem('Line 3: the signature of the head does not match the key.'),
    );
    expect((await verify(lines, { keys: [other, test.service.auditChain.publicKey] })).code).toBe(0);
    await expect(verify(lines, { keys: [] })).rejects.toThrow('Missing option: --key');
    await expect(verify(lines, { keys: ['no-key'] })).rejects.toThrow('neither a public key nor a file');
    await expect(verify(lines, { head: '1:x' })).rejects.toThrow('--head must be');
  });

  it('compares the export with a head of an earlier email', async () => {
    await insertAll('a', 'b');
    const { hash } = headOf(await exportLines());
    await insertAll('c');
    const lines = await exportLines();
    const [header = '', first = '', second = '', , head = ''] = lines;
    expect((await verify(lines, { head: `2:${hash}` })).code).toBe(0);
    const other = '0'.repeat(64);
    expect(await verify(lines, { head: `2:${other}` })).toEqual(
      problem('Line 3: the hash of entry 2 is not that of the known head.'),
    );
    expect(await verify(lines, { head: `9:${other}` })).toEqual(
      problem('Line 5: entry 4 is missing: the known head is entry 9.'),
    );
    expect(await verify([header, first, second, head])).toEqual(
      problem('Line 4: entry 3 is missing: the signed head is entry 3.'),
    );
  });

  it('finds an entry that was changed or removed in the database', async () => {
    await insertAll('a', 'b', 'c');
    await test.service.auditChain.seal();
    await database.query(sql`alter table private.audit_log disable row level security`);
    await database.query(
      sql`update private.audit_log set after = '{"name": "B"}' where after ->> 'name' = 'b'`,
    );
    expect(await verify(await exportLines())).toEqual(
      problem('Line 3: entry 2 was changed: its hash does not match.'),
    );
    await database.query(sql`delete from private.audit_log where after ->> 'name' = 'B'`);
    await database.query(sql`alter table private.audit_log enable row level security`);
    expect(await verify(await exportLines())).toEqual(
      problem('Line 3: entry 2 is missing or moved: entry 3 is in its place.'),
    );
  });

  it('keeps numbers beyond double precision', async () => {
    const numbers = ['1e999', '12345678901234567890.000000000000000001', '1.0', '1.00', '0.1'];
    for (const number of numbers)
      await database.query(sql`insert into private.audit_log (table_name, action, after)
        values ('public.accounts', 'INSERT', ${`{"n": ${number}}`}::jsonb)`);
    const lines = await exportLines();
    expect((await verify(lines)).code).toBe(0);
    expect(lines[1]).toContain(`{"n": 1${'0'.repeat(999)}}`);
    expect(lines[2]).toContain('{"n": 12345678901234567890.000000000000000001}');
    const rounded = lines[2]?.replace('.000000000000000001', '') ?? '';
    expect(await verify([lines[0] ?? '', lines[1] ?? '', rounded, ...lines.slice(3)])).toEqual(
      problem('Line 3: entry 2 was changed: its hash does not match.'),
    );
  });

  it('keeps the bytes of unusual texts', async () => {
    await insertAll('\u2028 line', '\u{1f6a8} right-to-left \u05d0', 'quote " \\ \n', '\ufeff');
    const lines = await exportLines();
    expect(lines).toHaveLength(6);
    expect((await verify(lines)).code).toBe(0);
  });

  it('states the entries that are not sealed', { skip: engine === 'embedded' }, async () => {
    await insertAll('a');
    await test.service.auditChain.seal();
    await database.transaction(async (tx) => {
      await insert('running', new Date(), tx);
      const output = captureOutput(test.config.DATA_DIR);
      await auditCommand.parse(['export', 'running.jsonl']).run(test.service, output);
      // The entry about the export itself.
      expect(output.problems).toEqual(['1 newer entry is not sealed yet and not in the export.']);
      await insertAll('b', 'c');
      const lines = await exportLines();
      expect(headOf(lines)).toMatchObject({ position: 1, unsealed: 3 });
      expect(await verify(lines)).toMatchObject({
        code: 0,
        lines: [expect.anything(), '3 newer entries were not sealed at that time and are not in the export.'],
      });
    });
  });

  it('cuts at a signed checkpoint, and never an entry that is not sealed', async () => {
    const old = new Date(now.getTime() - 31 * day);
    await insert('a', old);
    await insert('b', old);
    await insertAll('c', 'd');
    await test.service.auditChain.seal();
    const before = await exportLines();
    await test.service.auditChain.purge();
    expect(await sealed()).toEqual(['c', 'd']);
    const lines = await exportLines();
    expect(lines).toHaveLength(4);
    expect(await verify(lines)).toEqual({
      code: 0,
      lines: [
        `Entries 3 to 4 are unchanged. The head was signed at ${headOf(lines).at}.`,
        'Entries 1 to 2 were removed after their retention period.',
      ],
    });
    const [header = '', ...rest] = lines;
    const [otherHeader = ''] = before;
    expect(await verify([otherHeader, ...rest])).toEqual(
      problem('Line 2: entry 1 is missing or moved: entry 3 is in its place.'),
    );
    expect(await verify([header.replace('"position":2', '"position":1'), ...rest])).toEqual(
      problem('Line 1: the signature of the checkpoint does not match the key.'),
    );
    const { hash } = headOf(before);
    expect((await verify(lines, { head: `4:${hash}` })).code).toBe(0);
    expect(await verify(lines, { head: `1:${hash}` })).toEqual(
      problem('Line 1: entry 1 of the known head was removed as too old, so it cannot be compared.'),
    );

    // Everything expires; new entries continue the chain.
    now = new Date(now.getTime() + 40 * day);
    await test.service.auditChain.purge();
    // The database decides by its own clock which entries are of the last day.
    if (engine === 'embedded') expect(await sealed()).toEqual([]);
    await insertAll('e');
    const latest = await exportLines();
    expect(await verify(latest)).toMatchObject({ code: 0 });
    expect(headOf(latest).position).toBe(5);
    await test.service.auditChain.purge();
  });

  it('cuts more entries than a transaction deletes', async () => {
    const old = new Date(now.getTime() - 31 * day);
    await database.query(sql`insert into private.audit_log (table_name, action, at, after)
      select 'public.accounts', 'INSERT', ${old}::timestamptz, jsonb_build_object('name', n)
      from generate_series(1, 5003) as n`);
    await insertAll('last');
    await test.service.auditChain.purge();
    expect(await sealed()).toEqual(['last']);
    expect(await verify(await exportLines())).toMatchObject({ code: 0 });
  });

  it('any single change, removal or swap of an export is found', async () => {
    await insertAll('a', 'b', 'c', 'd', 'e');
    const text = Buffer.from((await exportLines()).join(''));
    const lines = text
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => `${line}\n`);
    const isFound = async (bytes: Buffer): Promise<void> => {
      const { code } = await verify(bytes);
      expect(code).toBe(1);
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), async (index, flip) => {
        const bytes = Buffer.from(text);
        bytes.writeUInt8(bytes.readUInt8(index) ^ flip, index);
        await isFound(bytes);
      }),
      { numRuns: 150 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), async (index) =>
        isFound(Buffer.concat([text.subarray(0, index), text.subarray(index + 1)])),
      ),
      { numRuns: 100 },
    );
    for (let first = 0; first < lines.length; first += 1) {
      await isFound(Buffer.from(lines.toSpliced(first, 1).join('')));
      for (let second = first + 1; second < lines.length; second += 1)
        await isFound(
          Buffer.from(
            lines
              .with(first, lines[second] ?? '')
              .with(second, lines[first] ?? '')
              .join(''),
          ),
        );
    }
  });

  it('the stored chain fits its entries', async () => {
    await insertAll('a', 'b');
    await test.service.auditChain.seal();
    let last = chainStart;
    for await (const link of readLinks(database, 0, 2)) {
      expect(findChainProblem(last, link)).toBeNull();
      last = link;
    }
    expect(last.position).toBe(2);
  });
});
