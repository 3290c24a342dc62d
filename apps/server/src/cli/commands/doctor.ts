import { runChecks } from '../../doctor/run-checks.ts';
import type { CheckResult } from '../../doctor/check-result.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { Command, CommandIO } from '../command.ts';

/** @returns the exit code: 1 if a check failed, otherwise 0 */
function report(results: readonly CheckResult[], io: CommandIO): number {
  for (const { status, subject, message, fix } of results) {
    io.print(`${status.padEnd(8)} ${subject.padEnd(14)} ${message}`);
    if (fix) io.print(`${' '.repeat(23)} ${fix}`);
  }
  const count = (status: CheckResult['status']): number =>
    results.filter((result) => result.status === status).length;
  io.print(`${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed`);
  return count('failed') > 0 ? 1 : 0;
}

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  description: 'Check runtime, disk, database, keys, clocks, site URL and email, and suggest fixes.',
  parse(args) {
    parseArguments(args, {}, 0);
    return {
      requires: 'any',
      run: async ({ config, database }, io) =>
        report(await runChecks({ config, database, now: new Date() }), io),
    };
  },
};
