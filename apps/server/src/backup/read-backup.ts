/** Reads and checks backup files. */
import readline from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { readMigrations } from '@lanternrock/postgres/migrations';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toErrorMessage } from '../errors.ts';
import { toTerminalText } from '../log.ts';
import { migrationDirectories } from '../paths.ts';
import { compareDigests, createDigest, type TableDigests } from './table-digests.ts';
import type { BackupHeader } from './write-backup.ts';

/** A backup that can be read several times. */
export interface BackupSource {
  /** For messages. */
  readonly name: string;
  /** @throws OperationalError if it cannot be read */
  read(): AsyncIterable<Uint8Array>;
}

interface BackupContents {
  readonly header: BackupHeader;
  readonly rows: number;
  /** Null for a backup of a version that did not write them. */
  readonly digests: TableDigests | null;
}

/**
 * Yields the lines of the decompressed file.
 *
 * @throws OperationalError if it cannot be read or decompressed
 */
export async function* readLines(file: BackupSource): AsyncGenerator<string> {
  const decompressed = createGunzip();
  // An error of the file also ends the decompressed stream, so the iteration throws it.
  pipeline(Readable.from(file.read()), decompressed, () => {});
  try {
    yield* readline.createInterface({ input: decompressed, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'Z_DATA_ERROR') throw notABackup(file);
    throw new OperationalError(`${file.name} cannot be read: ${toErrorMessage(error)}`);
  } finally {
    // Closes the file if the caller stops iterating early.
    decompressed.destroy();
  }
}

/**
 * @returns the first line of the backup
 * @throws OperationalError if the file is no complete backup of this version
 */
export async function validateBackup(file: BackupSource): Promise<BackupHeader> {
  const { header } = await readBackup(file);
  requireSameVersion(
    header,
    readMigrations(migrationDirectories).map(({ name }) => name),
  );
  return header;
}

/**
 * Reads the whole file and compares its rows with the counts and digests that it contains.
 *
 * @throws OperationalError if the file is no complete backup
 */
export async function readBackup(file: BackupSource): Promise<BackupContents> {
  const found = new Map<string, ReturnType<typeof createDigest>>();
  let header: BackupHeader | null = null;
  let digest = createDigest();
  let digests: TableDigests | null = null;
  let rows = 0;
  let expectedRows: number | null = null;
  for await (const line of readLines(file)) {
    if (header === null) header = parseHeader(file, line);
    else if (line.startsWith('. ')) expectedRows = Number(line.slice(2));
    else if (line.startsWith('# ')) digests = parseDigests(file, line.slice(2));
    else if (line.startsWith('= ')) {
      digest = found.get(line.slice(2)) ?? createDigest();
      found.set(line.slice(2), digest);
    } else {
      digest.add(line);
      rows += 1;
    }
  }
  if (header === null || expectedRows !== rows)
    throw new OperationalError(`${file.name} is incomplete. Nothing was restored.`);
  const differences = digests === null ? [] : compareDigests(digests, toResults(found));
  if (differences.length > 0)
    throw new OperationalError(
      `${file.name} was changed after it was written: ${toTerminalText(differences.join('; '), 500)}. Nothing was restored.`,
    );
  return { header, rows, digests };
}

const toResults = (builders: ReadonlyMap<string, ReturnType<typeof createDigest>>): TableDigests =>
  Object.fromEntries([...builders].map(([name, builder]) => [name, builder.result()]));

const headerShape = z.object({
  format: z.literal('lanternrock-backup'),
  version: z.literal(1),
  migrations: z.array(z.string()),
  at: z.string(),
  keys: z.boolean(),
  fingerprints: z.optional(z.record(z.string(), z.string())),
});

const digestsShape = z.record(z.string(), z.object({ rows: z.number(), digest: z.string() }));

function parseDigests(file: BackupSource, text: string): TableDigests {
  try {
    const digests = digestsShape.safeParse(JSON.parse(text));
    if (digests.success) return digests.data;
  } catch {
    // The line is no JSON; reported below.
  }
  throw notABackup(file);
}

function parseHeader(file: BackupSource, line: string): BackupHeader {
  try {
    const header = headerShape.safeParse(JSON.parse(line));
    if (header.success) return header.data;
  } catch {
    // The line is no JSON; reported below.
  }
  throw notABackup(file);
}

const notABackup = (file: BackupSource): OperationalError =>
  new OperationalError(`${file.name} is not a backup of this product. Nothing was restored.`);

/**
 * @param current the migrations of this version
 * @throws OperationalError if the backup has others
 */
export function requireSameVersion({ at, migrations }: BackupHeader, current: readonly string[]): void {
  const differences = [
    ['Missing in this version:', migrations.filter((name) => !current.includes(name))],
    ['Missing in the backup:', current.filter((name) => !migrations.includes(name))],
  ] as const;
  const sentences = differences.flatMap(([label, names]) =>
    names.length === 0 ? [] : [`${label} ${toTerminalText(names.join(', '), 500)}.`],
  );
  if (sentences.length === 0) return;
  throw new OperationalError(
    `The backup of ${toTerminalText(at)} was written by another version. Nothing was restored. ${sentences.join(' ')} ` +
      'Restore it with that version, then update.',
  );
}
