import { execFileSync } from 'node:child_process';

/** Ids of a process's children, this one's when none is named, whose command line contains `text`. */
export function findChildProcesses(text: string, parent = process.pid): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
