/** Captures the output of a command. */
import type { Output } from '../../src/cli/command.ts';

interface KeptOutput extends Output {
  /** Lines of standard output. */
  readonly lines: readonly string[];
  /** Lines of standard error. */
  readonly problems: readonly string[];
  /** Lines of both, in order. */
  readonly all: readonly string[];
}

/**
 * Creates an output that stores its lines.
 *
 * @param stopAfter number of lines after which the output counts as closed
 */
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
