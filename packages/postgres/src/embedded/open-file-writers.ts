/**
 * Who has files of a folder open for writing, as Linux tells it (proc(5)): a sign of an owner that nobody
 * can delete. It shows processes of the same user that share our process ids; elsewhere it shows nobody.
 */
import fs from 'node:fs';
import path from 'node:path';

/** @returns the id of another process that may write there; null when none is seen. Readers do not count. */
export function findWriter(folder: string): number | null {
  const real = unlessRefused(() => fs.realpathSync(folder));
  if (real === null) return null;
  const others = entries('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return others.find((pid) => writes(pid, `${real}${path.sep}`)) ?? null;
}

const writes = (pid: number, beginning: string): boolean =>
  entries(`/proc/${pid}/fd`).some((handle) => {
    const file = unlessRefused(() => fs.readlinkSync(`/proc/${pid}/fd/${handle}`));
    return file !== null && file.startsWith(beginning) && isForWriting(pid, handle);
  });

/** The last two bits of the flags of open(2): 0 reads, 1 writes, 2 does both. */
function isForWriting(pid: number, handle: string): boolean {
  const facts = unlessRefused(() => fs.readFileSync(`/proc/${pid}/fdinfo/${handle}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(facts)?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & 3) !== 0;
}

const entries = (folder: string): string[] => unlessRefused(() => fs.readdirSync(folder)) ?? [];

/** Null for what is not there (any more), or belongs to somebody else. */
function unlessRefused<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
