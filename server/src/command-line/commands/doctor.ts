import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { examine } from '../../doctor/examine.ts';
import { wordsOf, type Finding } from '../../doctor/finding.ts';
import { openDatabase } from '../../open-database.ts';
import { readArguments } from '../arguments.ts';
import type { Command, Output } from '../command.ts';

/** @returns the exit code: 1 when something failed, 0 otherwise. */
function report(findings: readonly Finding[], output: Output): number {
  for (const { verdict, about, found, advice } of findings) {
    output.line(`${verdict.padEnd(8)} ${about.padEnd(12)} ${found}`);
    if (advice) output.line(`${' '.repeat(21)} ${advice}`);
  }
  const count = (verdict: Finding['verdict']): number =>
    findings.filter((finding) => finding.verdict === verdict).length;
  output.line(`${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed`);
  return count('failed') > 0 ? 1 : 0;
}

/** Inside the running service. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  about: 'Looks at runtime, disk, database, keys, clocks, address and mail, and says what to do.',
  needs: 'instance',
  check: async (args) => void readArguments(args, {}, 0),
  async run({ config, database }, args, output) {
    readArguments(args, {}, 0);
    return report(await examine({ config, database, now: new Date() }), output);
  },
};

/** Without a service, which may be down for the very reason that is looked for. */
export async function examineAlone(config: Config, log: Logger, output: Output): Promise<number> {
  // Looking must change nothing.
  const opened = await openDatabase(config, log, { existing: true }).catch((error: unknown) => ({
    problem: wordsOf(error),
  }));
  if ('problem' in opened)
    return report(await examine({ config, database: opened, now: new Date() }), output);
  try {
    return report(await examine({ config, database: opened.database, now: new Date() }), output);
  } finally {
    await opened.database.close();
    await opened.lock?.release();
  }
}
