/** What a command prints, kept. */
import type { Output } from '../../src/cli/command.ts';

interface KeptOutput extends Output {
  /** Of standard output. */
  readonly lines: readonly string[];
  /** Of standard error. */
  readonly problems: readonly string[];
  /** Both, in order. */
  readonly all: readonly string[];
}

/** @param stopAfter lines after which nobody reads along any more */
export function captureOutput(cwd: string, stopAfter = Infinity): KeptOutput {
  const lines: string[] = [];
  const problems: string[] = [];
  const all: string[] = [];
  const keepIn =
    (kept: string[]) =>
    (text: string): void => {
      kept.push(text);
      all.push(text);
    };
  return {
    cwd,
    osUser: 'ann',
    inService: true,
    lines,
    problems,
    all,
    print: keepIn(lines),
    printError: keepIn(problems),
    isClosed: () => lines.length > stopAfter,
  };
}
