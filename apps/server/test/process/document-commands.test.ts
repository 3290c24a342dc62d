/**
 * Runs the commands of README.md, docs/api.md and docs/operations.md, unchanged and in order, with one instance that the
 * command of the README starts. Commands of the service in the text of a page run with example values.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../../../../scripts/instance-client.mjs';
import { sendCommand } from '../../src/cli/command-server.ts';
import { commands } from '../../src/cli/commands.ts';
import { connectToService } from '../../src/database/control-socket.ts';
import { captureOutput } from '../support/command-output.ts';
import { pageNames, readPage, root, runsElsewhere, splitCommands } from '../support/documents.ts';

const execute = promisify(execFile);

/** The administrator of the test. The examples use EMAIL and PASSWORD. */
const administrator = { email: 'ann.lee@example.org', password: 'lantern on the pier 7' };
const metricsToken = 'metrics token of this test';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-documents-'));
const dataDir = path.join(scratch, 'data');
const readSecret = (name: string): string => fs.readFileSync(path.join(dataDir, name), 'utf8').trim();

/** Returns the blocks of a page that this test runs. */
const listTestedBlocks = (name: string): string[] =>
  readPage(name)
    .blocks.filter(({ language, isMarked }) => language === 'sh' && !isMarked)
    .map(({ text }) => text)
    .filter((text) => !splitCommands(text).every(runsElsewhere));

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  DATA_DIR: dataDir,
  PORT: '0',
  ADMIN_EMAIL: administrator.email,
  METRICS_TOKEN: metricsToken,
  LOG_LEVEL: 'error',
});

/** Commands that this instance rejects: it has data, and the user of the example is not an administrator. */
const rejectedCommands = /^(restore|admins (remove|reset-factors|set-end))\b/;

describe('the commands of the documents', () => {
  let service: ChildProcess;
  let url: string;

  /** Runs scripts in one shell, in the root of the repository. Each prints its number, and the first error ends the run. */
  async function run(scripts: readonly string[]): Promise<string> {
    const text = scripts.map((script, index) => `echo "== block ${index + 1}"\n${script}`).join('\n');
    let output: string;
    try {
      ({ stdout: output } = await execute('bash', ['--norc', '-e', '-o', 'pipefail', '-c', text], {
        cwd: root,
        env: {
          ...environment(),
          URL: url,
          ANON_KEY: readSecret('keys/anon-key'),
          SERVICE_ROLE_KEY: readSecret('keys/service-role-key'),
          EMAIL: administrator.email,
          PASSWORD: administrator.password,
        },
      }));
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`A block failed: ${stdout}${stderr}`, { cause: error });
    }
    expect(output).toContain(`== block ${scripts.length}`);
    return output;
  }

  /** Enrolls a second factor, which an example removes. */
  async function enroll(): Promise<void> {
    const { call, signIn } = await openClient(url);
    const { access_token: token } = (await signIn(administrator)) as { access_token: string };
    const factor = (await call('/auth/v1/factors', { factor_type: 'totp' }, { token })) as {
      id: string;
      totp: { secret: string };
    };
    const challenge = (await call(`/auth/v1/factors/${factor.id}/challenge`, {}, { token })) as {
      id: string;
    };
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    await call(`/auth/v1/factors/${factor.id}/verify`, { challenge_id: challenge.id, code }, { token });
  }

  beforeAll(async () => {
    const template = process.env['INSTANCE_TEMPLATE'];
    if (template !== undefined) fs.cpSync(template, path.join(dataDir, 'database'), { recursive: true });
    service = spawn('npm', ['start', '--', '--demo'], {
      cwd: root,
      env: { ...environment(), AUTH_TIMEOUT: '120000' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = await new Promise<string>((resolve, reject) => {
      let output = '';
      service.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /listening on (http:\/\/\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      service.once('exit', (code) => reject(new Error(`npm start exited with code ${code}: ${output}`)));
    });
    const client = await openClient(url);
    await client.setUpAdministrator(readSecret('first-link'), administrator.password);
  });
  afterAll(async () => {
    // The last test stops the service. It does not run with a filter, or after a failed start.
    if (service.exitCode === null && service.signalCode === null) {
      const exited = once(service, 'exit');
      service.kill();
      await exited;
    }
    fs.rmSync(scratch, { recursive: true, force: true });
  });

  it('runs the commands of docs/api.md', async () => {
    const examples = listTestedBlocks('docs/api.md');
    expect(examples.length).toBeGreaterThan(12);
    const output = await run(examples);
    expect(output).toContain('"name":"Ridge Nine Test Patrol"');
    expect(output).toMatch(/Content-Range: 0-\d+\/\d+/);
    expect(output).toContain('"success":true');
  });

  it('runs the commands of README.md', async () => {
    expect(await run(listTestedBlocks('README.md'))).toContain('casey@example.org');
  });

  // Most commands are a process each.
  it('runs the commands of docs/operations.md', { timeout: 300_000 }, async () => {
    await enroll();
    // The first block defines the function that the others call.
    const [define = '', ...blocks] = listTestedBlocks('docs/operations.md');
    expect(define).toContain('lanternrock()');
    expect(blocks.length).toBeGreaterThan(5);
    const output = await run([define, `cd '${scratch}'`, ...blocks]);
    expect(output).toContain('Done: 2 created, 0 changed, 0 unchanged, 0 rejected.');
    expect(output).toMatch(/Entries 1 to \d+ are unchanged/);
    expect(output).toContain(`${administrator.email} has no second factor now`);
  });

  it('runs the commands in the text, with example values', async () => {
    const values: Readonly<Record<string, string>> = {
      EMAIL: 'kim@example.org',
      NAME: 'Kim',
      FILE: path.join(scratch, 'of-the-text.backup'),
    };
    const texts = pageNames
      .flatMap((name) => readPage(name).inline)
      .filter(({ text, isMarked }) => !isMarked && /^(npm run -s )?lanternrock /.test(text))
      .map(({ text }) => text.replace(/^(npm run -s )?lanternrock (-- )?/, ''));
    expect(texts.length).toBeGreaterThan(10);
    const failed: string[] = [];
    for (const text of new Set(texts)) {
      const [name = '', ...args] = text.split(' ').map((word) => values[word] ?? word);
      const output = captureOutput(scratch);
      const { writableFiles } = commands.find((command) => command.name === name)?.parse(args) ?? {};
      const socket = await connectToService(dataDir);
      const code = socket === null ? null : await sendCommand(socket, name, args, output, writableFiles);
      if (code !== (rejectedCommands.test(text) ? 1 : 0))
        failed.push(`${text}: ${code}: ${output.all.join(' ')}`);
    }
    expect(failed).toEqual([]);
  });

  it('stops the service with the process ID that status prints', async () => {
    const { stdout: status } = await execute('npm', ['run', '-s', 'lanternrock', '--', 'status'], {
      cwd: root,
      env: environment(),
    });
    const exited = once(service, 'exit');
    process.kill(Number(/running, process (\d+)/.exec(status)?.[1]));
    expect(await exited).toEqual([0, null]);
  });
});
