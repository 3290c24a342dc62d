/** `lanternrock accounts export`: the same file as the function `export-accounts`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccountExport, accountExportSchema } from '@lanternrock/contract/account-export';
import { accountSorts, tryParseOrder } from '@lanternrock/contract/account-view';
import type { Database } from '@lanternrock/postgres';
import { accountCsv } from '../../accounts/account-csv.ts';
import { recordAccountExport } from '../../audit-log.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import { isStandardOutput, writeFile } from '../command-files.ts';
import type { CommandIO } from '../command.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Writes the accounts to a file, or to standard output for `-` and without a file.
 *
 * @param args without the word `export`
 * @returns the exit code
 */
export async function exportAccounts(
  database: Database,
  args: readonly string[],
  io: CommandIO,
): Promise<number> {
  const { file, replace, list } = parseExport(args);
  const chunks = accountCsv(list, (work) => database.transaction(work));
  const path = await writeFile(io.files, file, { replace, private: false }, async (stream) => {
    await database.transaction(async (tx) => {
      await setAuditOrigin(io)(tx);
      await recordAccountExport(tx);
    });
    await pipeline(Readable.from(chunks), stream);
  });
  if (!isStandardOutput(file)) io.print(`Wrote ${path}.`);
  return 0;
}

interface ParsedExport {
  /** As typed; `-` for standard output. */
  readonly file: string;
  readonly replace: boolean;
  readonly list: AccountExport;
}

/** @throws UsageError */
function parseExport(args: readonly string[]): ParsedExport {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseArguments(
    args,
    { search: text, type: text, status: text, sort: text, force: { type: 'boolean' } },
    1,
  );
  const order = tryParseOrder(values.sort ?? 'created');
  if (!order)
    throw new UsageError(`--sort must be ${accountSorts.join(', ')}, or one of them with .asc or .desc.`);
  const { search, type, status } = values;
  const { data: list, error } = accountExportSchema.safeParse({ search, type, status, ...order });
  if (error) throw new UsageError(describeIssue(error.issues[0]?.path[0]));
  const [file = '-'] = positionals;
  return { file, replace: values.force === true, list };
}

const describeIssue = (option: PropertyKey | undefined): string =>
  ({
    search: '--search must have at most 200 characters.',
    type: '--type must be enterprise or organization.',
    status: '--status must be active, suspended, archived or other.',
  })[String(option)] ?? 'Invalid option.';
