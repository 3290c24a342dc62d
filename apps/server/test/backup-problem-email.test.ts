/** The email about a failed backup, and its metric, from the running service. */
import { expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readBackupState } from '../src/backup/backup-state.ts';
import { startTestService } from './support/test-service.ts';

it('sends the email about a failed backup from the running service', async () => {
  const test = await startTestService('postgres', {
    settings: { BACKUP_DIR: '/dev/null/none', BACKUP_SCHEDULE: '* * * * *', METRICS_TOKEN: 'a'.repeat(32) },
  });
  const { email } = await test.createUser({ isAdministrator: true });
  const metrics = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${'a'.repeat(32)}` };
    return (await test.request('/metrics', { headers })).text();
  };
  expect(await metrics()).toContain('lanternrock_backup_failed Nan');
  await test.database.query(
    sql`insert into private.backup_state (schedule, next_at) values ('* * * * *', now() - interval '1 minute')`,
  );
  test.service.background.start();
  await expect
    .poll(async () => (await readBackupState(test.database))?.problem, { timeout: 20_000 })
    .toMatch(/^ENOTDIR: /);
  const [message, ...others] = await test.emails();
  expect(others).toEqual([]);
  expect(message?.to).toEqual([expect.objectContaining({ address: email })]);
  expect(message?.subject).toBe('A backup of Lanternrock failed');
  const text = message?.text?.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/The service could not write a backup on .+: ENOTDIR: not a directory/);
  expect(text).toContain('There is no complete backup yet.');
  expect(await metrics()).toContain('lanternrock_backup_failed 1');
  await test.close();
});
