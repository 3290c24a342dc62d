/**
 * Runs the examples of docs/api.md, unchanged and in order, in one shell against an instance with sample
 * data.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { administrator, setUpAdministrator } from './api-client.ts';

const page = fs.readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
const metricsToken = 'metrics token of this test';
const examples = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = '']) => script);

describe('docs/api.md', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ environment: { METRICS_TOKEN: metricsToken } });
    await setUpAdministrator(instance);
    // More rows than in an empty instance: no example may depend on a row being the only one.
    await instance.command('demo');
  });
  afterAll(async () => instance.stop());

  it('contains examples that run', () => {
    expect(examples.length).toBeGreaterThan(12);
    // `-e` exits at the first error, and each example prints its number before it runs.
    const script = examples.map((example, index) => `echo "== example ${index + 1}"\n${example}`).join('\n');
    let output: string;
    try {
      output = execFileSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', script], {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          URL: instance.url,
          ANON_KEY: instance.anonKey(),
          SERVICE_ROLE_KEY: instance.serviceRoleKey(),
          EMAIL: administrator.email,
          PASSWORD: administrator.password,
          METRICS_TOKEN: metricsToken,
        },
      });
    } catch (error) {
      throw new Error(`An example failed: ${(error as { stdout: string }).stdout}`, { cause: error });
    }
    expect(output).toContain(`== example ${examples.length}`);
    expect(output).toContain('"name":"Ridge Nine Test Patrol"');
    expect(output).toMatch(/Content-Range: 0-\d+\/\d+/);
    expect(output).toContain('"success":true');
  });
});
