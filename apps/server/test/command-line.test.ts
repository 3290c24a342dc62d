/** Commands of the command line, run as the control socket runs them. */
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { commands } from '../src/cli/commands.ts';
import { createCommandServer } from '../src/cli/command-server.ts';
import { commandProtocol } from '../src/database/control-socket.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('the command line', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(async () => service.close());

  const run = async (
    name: string,
    ...args: string[]
  ): Promise<{ code: number; lines: readonly string[] }> => {
    const output = captureOutput(service.config.DATA_DIR);
    const command = commands.find((candidate) => candidate.name === name);
    if (!command) throw new Error(`no command ${name}`);
    return { code: await command.parse(args).run(service.service, output), lines: output.all };
  };

  /**
   * Starts the control socket of the service.
   * @returns a function that sends a line and resolves to the response lines
   */
  async function startControlSocket(): Promise<{
    responses: (line: string) => Promise<unknown[]>;
    close: () => Promise<void>;
  }> {
    const socketPath = path.join(service.config.DATA_DIR, 'test.sock');
    const server = net.createServer(createCommandServer(service.service, commands));
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    return {
      responses: async (line) => {
        const socket = net.connect(socketPath);
        socket.write(`${line}\n`);
        const lines = (await text(socket)).trim().split('\n');
        return lines.map((response): unknown => JSON.parse(response));
      },
      close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    };
  }

  it('reports an invalid request line and continues to serve', async () => {
    const { responses, close } = await startControlSocket();
    const before = await service.fingerprint();
    for (const line of [
      'nonsense',
      '{',
      'null',
      '{"command":1}',
      '{"command":"demo","args":[1],"user":"ann","protocol":2}',
      '{"command":"demo","args":[],"folder":"/","user":"ann"}',
    ]) {
      expect(await responses(line)).toEqual([
        { problem: 'The service received an invalid command request.' },
        { exit: 1 },
      ]);
    }
    expect(await service.fingerprint()).toBe(before);
    await close();
  });

  it('prints the API keys, which are encrypted in Postgres', async () => {
    const { anonKey, serviceRoleKey } = service;
    expect(await run('keys', 'show')).toEqual({
      code: 0,
      lines: [
        `ANON_KEY=${anonKey}`,
        `SERVICE_ROLE_KEY=${serviceRoleKey}`,
        `AUDIT_PUBLIC_KEY=${service.service.auditChain.publicKey}`,
      ],
    });
  });

  const auditRequest = { command: 'audit', args: [], user: 'ann', protocol: commandProtocol };

  it('rejects a command line of another version', async () => {
    const { responses, close } = await startControlSocket();
    for (const protocol of [1, commandProtocol + 1])
      expect(await responses(JSON.stringify({ ...auditRequest, protocol }))).toEqual([
        {
          problem: 'The command line and the running service have different versions. Restart the service.',
        },
        { exit: 1 },
      ]);
    await close();
  });

  it('leaves an entry about acts of operators that change no table', async () => {
    const entries = async (): Promise<unknown> =>
      service.database.query(
        sql`select action, request_id as actor, origin, after from private.audit_log
             where table_name = 'operations' order by id`,
      );
    const rejected = [
      ['keys', 'rotate', '--bad'],
      ['keys', 'hide'],
      ['backup'],
      ['backup', '.'],
      ['audit', 'export', 'none/a'],
    ] as const;
    const before = await entries();
    for (const [name, ...args] of rejected) await expect(run(name, ...args)).rejects.toThrow(/./);
    expect(await entries()).toEqual(before);
    expect((await run('keys', 'rotate')).code).toBe(0);
    expect((await run('backup', 'b.gz')).code).toBe(0);
    expect((await run('audit', 'export', 'a.jsonl')).code).toBe(0);
    await run('audit', '--since', '2099-01-01');
    await run('sign-ins', '--of', 'Ann@Example.org');
    await run('keys', 'show');
    const silent = [['audit', 'public-key'], ['status'], ['admins', 'list'], ['accounts', 'list']] as const;
    for (const [name, ...args] of silent) await run(name, ...args);
    const by = { actor: 'command line (ann)', origin: 'command line' };
    expect(((await entries()) as unknown[]).slice(-6)).toEqual([
      { ...by, action: 'signing_key_created', after: { older_keys_dropped: false } },
      { ...by, action: 'backup_written', after: {} },
      { ...by, action: 'audit_exported', after: {} },
      { ...by, action: 'audit_read', after: { since: '2099-01-01T00:00:00.000Z' } },
      { ...by, action: 'sign_ins_read', after: { of: 'ann@example.org' } },
      { ...by, action: 'keys_shown', after: {} },
    ]);
  });

  it('writes a backup without an entry if the database accepts no writes', async () => {
    await service.database.query(sql`alter table private.audit_log rename to gone`);
    const { code, lines } = await run('backup', 'unrecorded.gz');
    await service.database.query(sql`alter table private.gone rename to audit_log`);
    expect([code, lines[0]]).toEqual([
      0,
      expect.stringContaining('The audit log has no entry about this backup: relation "private.audit_log"'),
    ]);
  });

  it('reports a database error in one line, with the fix', async () => {
    const { responses, close } = await startControlSocket();
    await service.database.query(sql`alter table private.audit_log rename to gone`);
    expect(await responses(JSON.stringify(auditRequest))).toEqual([
      {
        problem:
          'Database error: relation "private.audit_log" does not exist (42P01). Run "lanternrock doctor" for details.',
      },
      { exit: 1 },
    ]);
    await service.database.query(sql`alter table private.gone rename to audit_log`);
    await close();
  });

  it('demo fills an empty instance once', async () => {
    await run('demo');
    expect((await run('demo')).lines).toEqual(['Accounts already exist. Nothing was added.']);
  });

  it('invite prints a link for one plain email address when no mail server is configured', async () => {
    const pasted = await run('invite', '\u202abo@STRA\u1e9eE.example\u202c', '--name', 'Bo Ek');
    expect(pasted.lines[0]).toContain('for bo@xn--strae-oqa.example.');
    const { code, lines } = await run('invite', 'Robin@Example.org', '--name', 'Robin Hart');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^Open this link to set a password for robin@example\.org\. It expires at /);
    expect(lines[1]).toMatch(/^http:\/\/localhost:3000\/auth\/callback\?setup=true&token_hash=/);
    await expect(run('invite', 'a@b.co, c@d.co', '--name', 'Two')).rejects.toThrow('Invalid email address');
    await expect(run('invite', 'a@b.co')).rejects.toThrow('Missing option: --name');
    await expect(run('invite', '--name', 'Two')).rejects.toThrow('Missing argument: EMAIL.');
    await expect(run('invite', 'a@b.co', '--name', 'T')).rejects.toThrow(
      'Full name must be at least 2 characters',
    );
  });

  it('admins removes, keeps the last one, and restores', { tags: ['X14'] }, async () => {
    const first = await service.createUser({ isAdministrator: true, email: 'first@example.org' });
    const second = await service.createUser({ isAdministrator: true, email: 'second@example.org' });
    await service.database.query(
      sql`insert into private.invitations (email, full_name, user_id, status)
          values (${second.email}, 'Second', ${second.id}, 'accepted')`,
    );
    const session = await service.signIn(second);
    const headers = { Authorization: `Bearer ${session.access_token}` };
    expect((await service.request('/rest/v1/accounts', { headers })).status).toBe(200);
    expect(await run('admins', 'remove', second.email)).toEqual({
      code: 0,
      lines: ['second@example.org is no longer an administrator.'],
    });
    expect((await service.request('/rest/v1/accounts', { headers })).status).toBe(401);
    const before = await service.fingerprint();
    await expect(run('admins', 'remove', first.email)).rejects.toThrow(
      'One administrator without an end date must remain.',
    );
    expect(await service.fingerprint()).toBe(before);
    expect((await run('admins', 'restore', second.email)).code).toBe(0);
    expect((await run('admins', 'list')).lines.filter((line) => line.startsWith('second@'))).toHaveLength(1);
    expect((await service.signIn(second)).access_token).toBeTruthy();
  });

  it('invite --link records a new link of an open invitation and notifies the administrators', async () => {
    await run('invite', 'robin@example.org', '--name', 'Robin Hart', '--link');
    const links = await service.database.query(
      sql`select request_id as actor, after from private.audit_log where action = 'link_created' order by id`,
    );
    const entry = { actor: 'command line (ann)', after: { email: 'robin@example.org' } };
    expect(links.slice(-2)).toEqual([entry, entry]);
    expect(
      await service.database.query(
        sql`select recipient from private.deliveries where kind = 'administrator_invited' order by recipient`,
      ),
    ).toEqual([{ recipient: 'first@example.org' }, { recipient: 'second@example.org' }]);
  });

  it(
    'the database keeps the last administrator, also with two concurrent removals',
    { tags: ['X14'] },
    async () => {
      const ids = await service.database.query<{ id: string }>(sql`select id from public.user_roles`);
      const removals = await Promise.allSettled(
        ids.map(({ id }) => service.database.query(sql`delete from public.user_roles where id = ${id}`)),
      );
      expect(removals.filter((removal) => removal.status === 'rejected')).toHaveLength(1);
      expect(await service.database.query(sql`select from public.user_roles`)).toHaveLength(1);
    },
  );

  it('accounts list filters by a literal part of the name', async () => {
    const [line, ...more] = (await run('accounts', 'list', 'zermatt')).lines;
    expect(line).toMatch(/^[0-9a-f-]{36} {2}active {7}Zermatt Bergrettung$/);
    expect(more).toEqual([]);
    expect((await run('accounts', 'list')).lines).toHaveLength(12);
    expect((await run('accounts', 'list', '%')).lines).toEqual(['No accounts.']);
  });

  it('accounts sets a status, and audit lists the change', async () => {
    const [account] = await service.database.query<{ id: string }>(
      sql`select id from public.accounts where status = 'active' limit 1`,
    );
    const id = account?.id ?? '';
    const suspend = ['accounts', 'set-status', id, 'suspended'] as const;
    await expect(run(...suspend)).rejects.toThrow(/^Missing option: --reason TEXT/);
    await expect(run('accounts', 'set-status', id, 'paused')).rejects.toThrow(
      'Expected a status: active, suspended, archived.',
    );
    await expect(run('accounts', 'set-status', id, 'active')).rejects.toThrow(/ is already active\.$/);
    expect((await run(...suspend, '--reason', 'Unpaid')).code).toBe(0);
    expect(
      await service.database.query(sql`select reason, suspended_by from private.account_suspensions`),
    ).toContainEqual({ reason: 'Unpaid', suspended_by: null });
    expect((await run('accounts', 'set-status', id, 'archived')).code).toBe(0);
    await expect(run(...suspend, '--reason', 'Unpaid')).rejects.toThrow(
      / is archived and cannot become suspended\.$/,
    );
    expect((await run('accounts', 'set-status', id, 'active')).code).toBe(0);
    expect((await run(...suspend, '--reason', 'Unpaid')).code).toBe(0);
    await expect(run('accounts', 'members', randomUUID())).rejects.toThrow(/^Account .+ not found\.$/);
    await expect(run('accounts', 'set-status', 'nonsense', 'suspended')).rejects.toThrow(
      'Missing or invalid account ID. Run "lanternrock accounts list" to find it.',
    );
    const [last, reason] = (await run('audit')).lines.slice(-2).map((line) => JSON.parse(line) as object);
    expect(reason).toMatchObject({
      action: 'INSERT',
      table_name: 'private.account_suspensions',
      after: { id, reason: 'Unpaid' },
    });
    expect(last).toMatchObject({
      actor: 'command line (ann)',
      origin: 'command line',
      action: 'UPDATE',
      table_name: 'public.accounts',
      after: { status: 'suspended' },
    });
    const changes = (await run('audit')).lines.map(
      (line) => JSON.parse(line) as Record<'actor' | 'action' | 'table_name', string>,
    );
    const commandChanges = changes.filter(
      ({ actor, table_name }) => table_name !== 'operations' && actor === 'command line (ann)',
    );
    expect(new Set(commandChanges.map(({ action, table_name }) => `${action} ${table_name}`))).toEqual(
      new Set([
        'INSERT public.accounts',
        'INSERT public.account_members',
        'INSERT private.invitations',
        'link_created private.invitations',
        'INSERT public.profiles',
        'DELETE public.user_roles',
        'UPDATE private.invitations',
        'INSERT public.user_roles',
        'UPDATE public.accounts',
        'INSERT private.account_suspensions',
        'DELETE private.account_suspensions',
      ]),
    );
    await expect(run('audit', '--since', 'yesterday')).rejects.toThrow('--since must be a time');
    await expect(run('audit', '--after', 'x')).rejects.toThrow('--after must be the id of a change');
  });

  it('audit lists whose sessions a command revoked', async () => {
    const ann = await service.createUser();
    await service.signIn(ann);
    expect((await run('admins', 'sign-out', ann.email)).code).toBe(0);
    const last = JSON.parse((await run('audit')).lines.at(-1) ?? '{}') as object;
    expect(last).toMatchObject({
      actor: 'command line (ann)',
      action: 'DELETE',
      table_name: 'auth.sessions',
      before: { user_id: ann.id },
    });
    await expect(service.signIn(ann)).resolves.toBeTruthy();
    const before = await service.fingerprint();
    await expect(run('admins', 'sign-out', 'unknown@example.org')).rejects.toThrow('No user has the email');
    await expect(run('admins', 'constructor', ann.email)).rejects.toThrow('Expected list, remove');
    expect(await service.fingerprint()).toBe(before);
  });

  it('sign-ins lists successful and failed sign-ins', async () => {
    const bo = await service.createUser();
    await service.signIn(bo);
    await expect(service.signIn({ ...bo, password: 'not the right one' })).rejects.toThrow('400');
    const of = async (...more: string[]): Promise<object[]> =>
      (await run('sign-ins', '--of', bo.email.toUpperCase(), ...more)).lines.map(
        (line) => JSON.parse(line) as object,
      );
    expect((await of()).slice(-2)).toMatchObject([
      { action: 'login', actor: bo.email },
      { action: 'login_failed', actor: bo.email },
    ]);
    expect(await of('--since', '2099-01-01')).toEqual([]);
    expect((await run('sign-ins')).lines.length).toBeGreaterThan(1);
    expect((await run('sign-ins')).lines.join()).not.toContain('not the right one');
    await expect(run('sign-ins', '--since', 'yesterday')).rejects.toThrow('--since must be a time');
  });

  it('audit continues after more changes of one time than one call prints', async () => {
    await service.database.query(
      sql`insert into private.audit_log (at, table_name, action)
          select '2099-01-01', 'many', 'INSERT' from generate_series(1, 10003)`,
    );
    const first = (await run('audit', '--since', '2099-01-01')).lines;
    expect(first).toHaveLength(10_001);
    const hint = /Continue with: (.*)$/.exec(first.at(-1) ?? '')?.[1]?.split(' ') ?? [];
    const rest = (await run('audit', ...hint)).lines;
    const ids = [...first.slice(0, -1), ...rest].map((line) => (JSON.parse(line) as { id: string }).id);
    expect([rest.length, new Set(ids).size]).toEqual([3, 10_003]);
  });

  it('sign-ins of one user continue after more entries than one call prints', async () => {
    await service.database.query(
      sql`insert into auth.audit_log_entries (id, created_at, payload)
          select gen_random_uuid(), timestamptz '2099-01-01' + make_interval(secs => n),
                 jsonb_build_object('actor_username', 'many@example.org', 'action', n)
            from generate_series(1, 10003) n`,
    );
    const first = (await run('sign-ins', '--of', 'many@example.org')).lines;
    const [hint = ''] = first.slice(10_000);
    expect(hint).toMatch(/Continue with: --since \S+ --of many@example\.org$/);
    const rest = (await run('sign-ins', ...hint.split(' ').slice(-4))).lines;
    const actions = [...first.slice(0, -1), ...rest].map(
      (line) => (JSON.parse(line) as { action: string }).action,
    );
    // Each call repeats the last entry of the previous one.
    expect([rest.length, new Set(actions).size]).toEqual([4, 10_003]);
  });

  it('migrate reports the directory and that a running service has nothing to apply', async () => {
    expect(await run('migrate')).toEqual({
      code: 0,
      lines: [`No pending migrations in ${service.config.DATA_DIR}.`],
    });
  });

  it('every command rejects unknown arguments and changes nothing', async () => {
    const typed: (readonly [name: string, ...args: string[]])[] = [
      ...commands.map(({ name }) => [name, '--no-such-flag'] as const),
      ['status', 'extra'],
      ['doctor', 'extra'],
      ['invite', 'a@b.co', 'extra', '--name', 'Two'],
      ['admins', 'list', 'extra'],
      ['admins', 'sign-out', 'a@b.co', 'extra'],
      ['accounts', 'list', 'a', 'extra'],
      ['accounts', 'set-status', '00000000-0000-4000-8000-000000000000', 'active', 'extra'],
      ['audit', 'extra'],
      ['sign-ins', 'extra'],
      ['keys', 'rotate', 'extra'],
      ['backup', 'a', 'extra'],
      ['restore', 'a', 'extra'],
      ['demo', 'extra'],
      ['migrate', 'extra'],
    ];
    const before = await service.fingerprint();
    for (const [name, ...args] of typed) {
      const expectedError = args.includes('extra') ? 'Unexpected argument: extra' : "'--no-such-flag'";
      await expect(run(name, ...args), `${name} ${args.join(' ')}`).rejects.toThrow(expectedError);
    }
    expect(await service.fingerprint()).toBe(before);
  });
});
