import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log.ts';

/** What a terminal shows of one entry, without the time of day. */
function shown(log: (to: pino.Logger) => void): string {
  const written: string[] = [];
  log(pino({ level: 'debug' }, { write: (line: string) => written.push(formatLogLine(line)) }));
  return written.join('').replace(/^\d\d:\d\d:\d\d /, '');
}

describe('the log on a terminal', () => {
  it('is a sentence with its fields', () => {
    expect(shown((log) => log.info({ applied: ['a', 'b'], port: 3000, signal: 'SIGTERM' }, 'migrated'))).toBe(
      'info migrated applied=2 port=3000 signal=SIGTERM\n',
    );
  });

  it('shows an error with its stack', () => {
    const text = shown((log) => log.error({ err: new Error('gone') }, 'request failed'));
    expect(text).toMatch(/^error request failed err="gone"\n {4}at .*log\.test\.ts/);
  });

  it('OPS-14 lets no text steer the terminal or make a line of its own', () => {
    const text = shown((log) =>
      log.warn({ path: 'a b\u001b[31m\u202e' }, 'one\n12:00:00 error two\u001b[2J'),
    );
    expect(text.trimEnd()).not.toMatch(/[\u001b\u202e\n]/);
    expect(text).toContain('warn one');
  });
});
