import { examine } from '../../doctor/examine.ts';
import type { Finding } from '../../doctor/finding.ts';
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

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  about: 'Looks at runtime, disk, database, keys, clocks, address and mail, and says what to do.',
  needs: 'anything',
  check: async (args) => void readArguments(args, {}, 0),
  async run({ config, database }, args, output) {
    readArguments(args, {}, 0);
    return report(await examine({ config, database, now: new Date() }), output);
  },
};
