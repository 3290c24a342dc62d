import { execFileSync } from 'node:child_process';

/** Ids of this process's own children whose command line contains `text`. */
export function children(text: string): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
