/**
 * Writes the sealed audit log as JSON lines: a header with the last checkpoint, one line per entry with its position and
 * hash, and the signed head, which states how many entries were not sealed yet. Header and head are canonical JSON.
 */
import type { Database } from '@lanternrock/postgres';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { AuditKey } from './audit-key.ts';
import { toCanonicalJson, type ChainLink, type ChainPoint } from './chain-hash.ts';
import { readCheckpoint, readHead, readLinks, type Checkpoint } from './chain-reads.ts';
import { checkpointStatement } from './cut-chain.ts';

/** Properties of the first line of every export. */
const exportFormat = { format: 'lanternrock-audit', version: 1 } as const;

/** First line of a filtered list of entries, which has no chain. */
export const filteredHeader = `${toCanonicalJson({ format: exportFormat.format, filtered: true })}\n`;

/** The signed statement of the head. */
interface HeadStatement extends ChainPoint {
  readonly format: 'lanternrock-audit-head';
  /** RFC 3339. */
  readonly at: string;
  /** Number of newer entries, which are not part of the export. */
  readonly unsealed: number;
}

interface ExportOptions {
  readonly database: Pick<Database, 'query'>;
  readonly key: AuditKey;
  readonly now: Date;
  readonly countUnsealed: () => Promise<number>;
}

const line = (value: object): string => `${toCanonicalJson(value)}\n`;

/** @throws OperationalError if the retention cuts the chain during the export */
export async function* exportChain({
  database,
  key,
  now,
  countUnsealed,
}: ExportOptions): AsyncGenerator<string> {
  const checkpoint = await readCheckpoint(database);
  const { position, hash } = await readHead(database);
  const unsealed = await countUnsealed();
  yield line({ ...exportFormat, start: checkpoint && signedCheckpoint(checkpoint) });
  for await (const link of readLinks(database, checkpoint?.position ?? 0, position))
    if (link.entry !== null) yield toLinkLine(link, link.entry);
  if ((await readCheckpoint(database))?.position !== checkpoint?.position)
    throw new OperationalError('Old entries were removed during the export. Run the export again.');
  const at = now.toISOString();
  const head: HeadStatement = { format: 'lanternrock-audit-head', position, hash, at, unsealed };
  yield line({ head, signature: key.sign(head) });
}

/** Returns the line of an entry: the position and the hash, then the text of the entry, unchanged. */
const toLinkLine = ({ position, hash }: ChainPoint, entry: string): string =>
  `{"position" : ${position}, "hash" : "${hash}", ${entry.slice(1)}\n`;

/** Parses the line of an entry, without the line feed. Returns null if it has another form. */
export function tryParseLinkLine(text: string): ChainLink | null {
  const [prefix, position, hash] =
    /^\{"position" : ([1-9]\d{0,14}), "hash" : "([0-9a-f]{64})", /.exec(text) ?? [];
  if (prefix === undefined || position === undefined || hash === undefined) return null;
  return { position: Number(position), hash, entry: `{${text.slice(prefix.length)}` };
}

const signedCheckpoint = ({ at, signature, ...point }: Checkpoint): object => ({
  checkpoint: checkpointStatement(point, at),
  signature,
});
