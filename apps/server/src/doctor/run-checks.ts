import type { Database } from '@lanternrock/postgres';
import { describeUnknownSettings, type Config } from '../config/settings.ts';
import { checkAuditChain } from './audit-chain.ts';
import { checkDatabase } from './database.ts';
import { errorMessage } from '../errors.ts';
import { failed, type CheckResult } from './check-result.ts';
import { checkFactors, checkKeys } from './keys.ts';
import { checkRiskySettings, checkServiceSettings } from './settings.ts';
import { checkClocks, checkDataDir, checkRuntime } from './system.ts';
import { checkGreeting, checkMailServer, checkSender, checkSite } from './email-and-site.ts';
import { readSender } from '../mail/sender.ts';

export interface DoctorContext {
  readonly config: Config;
  /** The open database, or the error message if it cannot be opened. */
  readonly database: Database | { readonly error: string };
  readonly now: Date;
}

/** Runs all checks, without changing data. A check that throws becomes a failed result. */
export async function runChecks({ config, database, now }: DoctorContext): Promise<CheckResult[]> {
  const open = 'error' in database ? null : database;
  const attempt = async (subject: string, check: () => Promise<CheckResult[]>): Promise<CheckResult[]> =>
    check().catch((error: unknown) => [
      failed(subject, errorMessage(error), 'Fix the error above and run doctor again.'),
    ]);
  return [
    checkRuntime(now),
    ...checkRiskySettings(config, describeUnknownSettings()),
    ...checkDataDir(config),
    ...('error' in database
      ? [failed('database', database.error, 'Fix this first. Database checks were skipped.')]
      : await attempt('database', () => checkDatabase(database, config, now))),
    ...(open && config.MIGRATE
      ? await attempt('service', async () => [await checkServiceSettings(config, open)])
      : []),
    ...(open ? await attempt('keys', async () => [await checkKeys(config, open, now)]) : []),
    ...(open && config.MIGRATE
      ? await attempt('second factors', async () => [await checkFactors(config, open)])
      : []),
    ...(open && config.MIGRATE ? await attempt('audit log', async () => [await checkAuditChain(open)]) : []),
    ...(await attempt('clock', () => checkClocks(config, open))),
    ...checkSite(config),
    ...(config.MIGRATE ? [await checkMailServer(config)] : []),
    ...(config.MIGRATE && config.SMTP_URL !== ''
      ? await attempt('greeting', async () => [checkGreeting(config)])
      : []),
    ...(open && config.MIGRATE && config.SMTP_URL !== ''
      ? await attempt('sender', async () => [
          checkSender(await open.transaction((tx) => readSender(tx, config)), config),
        ])
      : []),
  ];
}
