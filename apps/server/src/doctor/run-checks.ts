/** The checks of `lanternrock doctor`, in the order of its output. */
import type { Database } from '@lanternrock/postgres';
import { describeUnknownSettings, type Config } from '../config/settings.ts';
import { checkAuditChain } from './audit-chain.ts';
import { checkBackups } from './backups.ts';
import { checkDatabase } from './database.ts';
import { toErrorMessage } from '../errors.ts';
import { failed, type CheckResult } from './check-result.ts';
import { checkFactors, checkKeys } from './keys.ts';
import { checkRiskySettings, checkServiceSettings } from './settings.ts';
import { checkClocks } from './clocks.ts';
import { checkDataDir } from './data-directory.ts';
import { checkRuntime } from './runtime.ts';
import { checkGreeting, checkMailServer, checkSender, checkSite } from './email-and-site.ts';
import { readSender } from '../mail/sender.ts';

export interface DoctorContext {
  readonly config: Config;
  /** The open database, or the error message if it cannot be opened. */
  readonly database: Database | { readonly error: string };
  readonly now: Date;
}

type Results = CheckResult | readonly CheckResult[];

/** Returns no results if the check does not apply to the instance. */
type Run = (context: DoctorContext) => Results | Promise<Results>;

const ifOpen =
  (run: (database: Database, context: DoctorContext) => Results | Promise<Results>): Run =>
  (context) =>
    'error' in context.database ? [] : run(context.database, context);

const ifManaged =
  (run: Run): Run =>
  (context) =>
    context.config.MIGRATE ? run(context) : [];

const ifMailServer =
  (run: Run): Run =>
  (context) =>
    context.config.SMTP_URL === '' ? [] : run(context);

/** The subject is that of the result if the check throws. */
const checks: readonly (readonly [subject: string, run: Run])[] = [
  ['runtime', ({ now }) => checkRuntime(now)],
  ['settings', ({ config }) => checkRiskySettings(config, describeUnknownSettings())],
  ['disk', ({ config }) => checkDataDir(config)],
  [
    'database',
    ({ config, database, now }) =>
      'error' in database
        ? failed('database', database.error, 'Fix this first. Database checks were skipped.')
        : checkDatabase(database, config, now),
  ],
  ['service', ifManaged(ifOpen((database, { config }) => checkServiceSettings(config, database)))],
  ['keys', ifOpen((database, { config, now }) => checkKeys(config, database, now))],
  ['second factors', ifManaged(ifOpen((database, { config }) => checkFactors(config, database)))],
  ['audit log', ifManaged(ifOpen(checkAuditChain))],
  ['backups', ifManaged(ifOpen((database, { config }) => checkBackups(config, database)))],
  ['clock', ({ config, database }) => checkClocks(config, 'error' in database ? null : database)],
  ['site URL', ({ config }) => checkSite(config)],
  ['email', ifManaged(({ config }) => checkMailServer(config))],
  ['greeting', ifManaged(ifMailServer(({ config }) => checkGreeting(config)))],
  [
    'sender',
    ifManaged(
      ifMailServer(
        ifOpen(async (database, { config }) =>
          checkSender(await database.transaction((tx) => readSender(tx, config)), config),
        ),
      ),
    ),
  ],
];

/** Runs all checks, without changing data. A check that throws becomes a failed result. */
export async function runChecks(context: DoctorContext): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [subject, run] of checks) {
    try {
      results.push(...[await run(context)].flat());
    } catch (error) {
      results.push(failed(subject, toErrorMessage(error), 'Fix the error above and run doctor again.'));
    }
  }
  return results;
}
