import { execFileSync } from 'node:child_process';

/**
 * Returns the IDs of the child processes of `parent` (default: this process) whose command line contains
 * `text`.
 */
export function findChildProcesses(text: string, parent = process.pid): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
