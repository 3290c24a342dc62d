/** The log on standard error: JSON lines, or readable lines on a terminal. */
import fs from 'node:fs';
import { pino, type Logger } from 'pino';
import type { Config } from './config/settings.ts';

/**
 * A sink that fails (its reader is gone, its disk is full) costs the line and nothing else: pino's own
 * destination would end the process, and on a full disk hang in its last words.
 */
const write = (line: string): void => {
  try {
    fs.writeSync(2, line);
  } catch {
    // There is no other place to tell it.
  }
};

/** @param line as pino writes it. @returns time of day, level, message and the fields; an error's stack below. */
export function formatLogLine(line: string): string {
  const { time, level, msg, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(line) as LogLine;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const told = Object.entries(fields).map(([name, value]) => `${name}=${cut(readableValue(value))}`);
  const words = [clock, pino.levels.labels[level] ?? String(level), msg ?? '', ...told].join(' ');
  const lines = [words, ...stackOf(fields['err'])];
  return lines.map((text) => `${toTerminalText(text, longestLine)}\n`).join('');
}

/** Characters of a field, and of a line: the JSON of a start without terminal holds everything. */
const longestField = 200;
const longestLine = 2000;

interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

const cut = (text: string): string => (text.length > longestField ? `${text.slice(0, longestField)}…` : text);

const stackOf = (error: unknown): string[] =>
  typeof error === 'object' && error !== null && 'stack' in error
    ? String(error.stack).split('\n').slice(1)
    : [];

/** Of a list its length. */
function readableValue(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message);
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

/** @param forPeople lines that a person reads, instead of JSON for programs */
export const createLogger = (level: Config['LOG_LEVEL'], forPeople = process.stderr.isTTY): Logger =>
  pino({ level }, { write: forPeople ? (line) => write(formatLogLine(line)) : write });

/**
 * Replaces control characters, so that text from a user cannot control the terminal.
 *
 * @param maxLength characters to keep
 */
export const toTerminalText = (text: string, maxLength = 80): string =>
  text.replace(/\p{C}/gu, '\ufffd').slice(0, maxLength);
