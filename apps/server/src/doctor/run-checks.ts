/** Everything that `lanternrock doctor` looks at, in the order of its report. */
import type { Database } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { checkDatabase } from './database.ts';
import { failed, errorMessage, type CheckResult } from './check-result.ts';
import { checkFactors, checkKeys } from './keys.ts';
import { checkClocks, checkDataDir, checkRuntime } from './system.ts';
import { checkMailServer, checkSender, checkSite } from './email-and-site.ts';
import { readSender } from '../mail/sender.ts';

export interface DoctorContext {
  readonly config: Config;
  /** The open database, or why it does not open. */
  readonly database: Database | { readonly problem: string };
  readonly now: Date;
}

/** Runs every check; one that breaks is a finding itself, and the others go on. Changes nothing. */
export async function runChecks({ config, database, now }: DoctorContext): Promise<CheckResult[]> {
  const open = 'problem' in database ? null : database;
  const attempt = async (about: string, check: () => Promise<CheckResult[]>): Promise<CheckResult[]> =>
    check().catch((error: unknown) => [
      failed(about, errorMessage(error), 'Mend what stands above, then look again.'),
    ]);
  return [
    checkRuntime(now),
    ...checkDataDir(config),
    ...('problem' in database
      ? [failed('database', database.problem, 'Mend this first: the checks of the database were left out.')]
      : await attempt('database', () => checkDatabase(database, config, now))),
    ...(open ? await attempt('keys', async () => [await checkKeys(config, open, now)]) : []),
    ...(open && config.MIGRATE
      ? await attempt('second factors', async () => [await checkFactors(config, open)])
      : []),
    ...(await attempt('clock', () => checkClocks(config, open))),
    ...checkSite(config),
    ...(config.MIGRATE ? [await checkMailServer(config)] : []),
    ...(open && config.MIGRATE && config.SMTP_URL !== ''
      ? await attempt('sender', async () => [
          checkSender(await open.transaction((tx) => readSender(tx, config))),
        ])
      : []),
  ];
}
