import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log.ts';

/** Returns the formatted log entries, without the time of day. */
function format(log: (logger: pino.Logger) => void): string {
  const lines: string[] = [];
  log(pino({ level: 'debug' }, { write: (line: string) => lines.push(formatLogLine(line)) }));
  return lines.join('').replace(/^\d\d:\d\d:\d\d /, '');
}

describe('the log on a terminal', () => {
  it('contains level, message and fields', () => {
    expect(
      format((log) => log.info({ applied: ['a', 'b'], port: 3000, signal: 'SIGTERM' }, 'migrated')),
    ).toBe('info migrated applied=2 port=3000 signal=SIGTERM\n');
  });

  it('contains the stack of an error', () => {
    const text = format((log) => log.error({ err: new Error('gone') }, 'request failed'));
    expect(text).toMatch(/^error request failed err="gone"\n {4}at .*log\.test\.ts/);
  });

  it('replaces terminal control characters and line breaks', { tags: ['OPS-14'] }, () => {
    const text = format((log) =>
      log.warn({ path: 'a b\u001b[31m\u202e' }, 'one\n12:00:00 error two\u001b[2J'),
    );
    expect(text.trimEnd()).not.toMatch(/[\u001b\u202e\n]/);
    expect(text).toContain('warn one');
  });
});
