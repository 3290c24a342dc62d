/** Captures the output of a command. */
import { PassThrough, Writable } from 'node:stream';
import { createLocalFiles } from '../../src/cli/local-files.ts';
import type { CommandIO } from '../../src/cli/command.ts';

interface CapturedOutput extends CommandIO {
  /** Lines of standard output. */
  readonly lines: readonly string[];
  /** Lines of standard error. */
  readonly problems: readonly string[];
  /** Lines of both, in order. */
  readonly all: readonly string[];
  /** Bytes that were written to the file `-`. */
  bytes(): Buffer;
}

/**
 * Creates an output that stores its lines.
 *
 * @param folder the base of relative file names
 * @param stopAfter number of lines after which the output counts as closed
 */
export function captureOutput(folder: string, stopAfter = Infinity): CapturedOutput {
  const lines: string[] = [];
  const problems: string[] = [];
  const all: string[] = [];
  const appendTo =
    (stored: string[]) =>
    (text: string): void => {
      stored.push(text);
      all.push(text);
    };
  const chunks: Buffer[] = [];
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return {
    files: createLocalFiles(folder, { stdin: new PassThrough().end(), stdout }),
    bytes: () => Buffer.concat(chunks),
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
