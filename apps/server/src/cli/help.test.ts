import { describe, expect, it } from 'vitest';
import { allCommands } from './commands.ts';
import { readGlobalOptions } from './global-options.ts';
import { asksForHelp, formatCommandHelp, formatHelp } from './help.ts';

describe('the help', () => {
  it('lists all commands and the exit codes', () => {
    const text = formatHelp().join('\n');
    for (const { name, description } of allCommands) {
      expect(text).toContain(`\n  ${name} `);
      expect(text).toContain(description);
    }
    expect(text).toContain('Exit codes: 0 success, 1 failure, 2 usage error.');
  });

  it('of a command has a line for each form', () => {
    const help = { name: 'keys', usage: 'show | rotate [--drop-old] | use A|B', description: 'Print keys.' };
    expect(formatCommandHelp(help)).toEqual([
      'Usage: lanternrock keys show',
      '       lanternrock keys rotate [--drop-old]',
      '       lanternrock keys use A|B',
      '',
      'Print keys.',
      'Exit codes: 0 success, 1 failure, 2 usage error.',
    ]);
  });

  it('is requested by --help and -h, not after --', () => {
    const cases = [['--help'], ['list', '-h'], ['--', '-h'], ['list']];
    expect(cases.map(asksForHelp)).toEqual([true, true, false, false]);
  });
});

describe('the option --settings', () => {
  it('precedes the command', () => {
    const expected = { settingsFile: 'a.env', rest: ['status', '--settings'] };
    expect(readGlobalOptions(['--settings', 'a.env', 'status', '--settings'])).toEqual(expected);
    expect(readGlobalOptions(['--settings=a.env', 'status', '--settings'])).toEqual(expected);
    expect(readGlobalOptions(['status'])).toEqual({ settingsFile: null, rest: ['status'] });
  });

  it.each([['--settings'], ['--settings=']])('needs a file: %s', (...args) => {
    expect(() => readGlobalOptions(args)).toThrow('--settings needs a file.');
  });
});
