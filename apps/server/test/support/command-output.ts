/** Captures the output of a command. */
import type { Output } from '../../src/cli/command.ts';

interface CapturedOutput extends Output {
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
export function captureOutput(cwd: string, stopAfter = Infinity): CapturedOutput {
  const lines: string[] = [];
  const problems: string[] = [];
  const all: string[] = [];
  const appendTo =
    (stored: string[]) =>
    (text: string): void => {
      stored.push(text);
      all.push(text);
    };
  return {
    cwd,
    osUser: 'ann',
    inService: true,
    lines,
    problems,
    all,
    print: appendTo(lines),
    printError: appendTo(problems),
    drained: async () => {},
    isClosed: () => lines.length > stopAfter,
  };
}
