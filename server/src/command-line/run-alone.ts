/** Runs a command without a service: opens what it needs, and closes it again. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openDatabase } from '../open-database.ts';
import { requireOwn, versionRemark } from '../schema-version.ts';
import { openService } from '../service.ts';
import type { Command, Output } from './command.ts';
import { doctorCommand, examineAlone } from './commands/doctor.ts';

/** @returns the exit code. @throws UsageProblem, and StartFailure where there is not what the command needs. */
export async function runAlone(
  command: Command,
  args: readonly string[],
  { config, log }: { readonly config: Config; readonly log: Logger },
  output: Output,
): Promise<number> {
  await command.check?.(args, output.folder);
  if (command === doctorCommand) return examineAlone(config, log, output);
  if (command.needs === 'newest') {
    const service = await openService({ config, log, existing: true });
    try {
      return await command.run(service, args, output);
    } finally {
      await service.close();
    }
  }
  const existing = command.needs === 'instance';
  if (!existing) requireOwn(config);
  const { database, lock } = await openDatabase(config, log, { existing });
  try {
    const remark = existing && config.MIGRATE ? await versionRemark(database) : null;
    if (remark) output.problem(remark);
    return await command.run({ config, log, database }, args, output);
  } finally {
    await database.close();
    await lock?.release();
  }
}
