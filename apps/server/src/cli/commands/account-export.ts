/** `lanternrock accounts export`: the same file as the function `export-accounts`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccountExport, accountExportSchema } from '@lanternrock/contract/account-export';
import { accountSorts, tryParseOrder } from '@lanternrock/contract/account-view';
import type { Database } from '@lanternrock/postgres';
import { accountCsv } from '../../accounts/account-csv.ts';
import { recordAccountExport } from '../../audit-log.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import { isStandardOutput, writeFile } from '../command-files.ts';
import type { CommandIO, Invocation } from '../command.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/** Writes the accounts to a file or to standard output. */
async function exportAccounts(
  database: Database,
  io: CommandIO,
  { file, replace, list }: ExportOptions,
): Promise<number> {
  const chunks = accountCsv(list, (work) => database.transaction(work));
  const path = await writeFile(io.files, file, { replace, private: false }, async (stream) => {
    await database.transaction(async (tx) => {
      await setCommandOrigin(io)(tx);
      await recordAccountExport(tx);
    });
    await pipeline(Readable.from(chunks), stream);
  });
  if (!isStandardOutput(file)) io.print(`Wrote ${path}.`);
  return 0;
}

interface ExportOptions {
  /** As typed; `-` for standard output. */
  readonly file: string;
  readonly replace: boolean;
  readonly list: AccountExport;
}

/**
 * `export [FILE]`
 *
 * @throws UsageError
 */
export function parseAccountExport(args: readonly string[]): Invocation {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseArguments(
    args,
    {
      search: text,
      type: text,
      status: text,
      sort: text,
      wide: { type: 'boolean' },
      force: { type: 'boolean' },
    },
    1,
  );
  const order = tryParseOrder(values.sort ?? 'created');
  if (!order)
    throw new UsageError(`--sort must be ${accountSorts.join(', ')}, or one of them with .asc or .desc.`);
  const { search, wide, type, status } = values;
  const { data: list, error } = accountExportSchema.safeParse({ search, wide, type, status, ...order });
  if (error) throw new UsageError(describeIssue(error.issues[0]?.path[0]));
  const [file = '-'] = positionals;
  return {
    requires: 'current-schema',
    writableFiles: [file],
    run: ({ database }, io) => exportAccounts(database, io, { file, replace: values.force ?? false, list }),
  };
}

const describeIssue = (option: PropertyKey | undefined): string =>
  ({
    search: '--search must have at most 200 characters.',
    type: '--type must be enterprise or organization.',
    status: '--status must be active, suspended, archived or other.',
  })[String(option)] ?? 'Invalid option.';
