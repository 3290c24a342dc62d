/** The log on standard error: JSON lines, or formatted lines on a terminal. */
import fs from 'node:fs';
import { pino, type Logger } from 'pino';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { Config } from './config/settings.ts';

/**
 * Writes a line and ignores errors, such as a closed pipe or a full disk. pino's own destination ends the process in
 * this case, and blocks during exit on a full disk.
 */
const write = (line: string): void => {
  try {
    fs.writeSync(2, line);
  } catch {
    // An error of the log cannot be logged.
  }
};

/**
 * Formats a log entry for a terminal: time of day, level, message and fields, then the stack of an error.
 *
 * @param line a line of pino
 */
export function formatLogLine(line: string): string {
  const { time, level, msg, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(line) as LogLine;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${truncate(formatValue(value))}`);
  const entry = [clock, pino.levels.labels[level] ?? String(level), msg ?? '', ...pairs].join(' ');
  const lines = [entry, ...stackLines(fields['err'])];
  return lines.map((text) => `${toTerminalText(text, maxLineLength)}\n`).join('');
}

/** In characters. JSON lines are not truncated. */
const maxFieldLength = 200;
const maxLineLength = 2000;

interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

const truncate = (text: string): string =>
  text.length > maxFieldLength ? `${text.slice(0, maxFieldLength)}…` : text;

const stackLines = (error: unknown): string[] =>
  typeof error === 'object' && error !== null && 'stack' in error
    ? String(error.stack).split('\n').slice(1)
    : [];

/** Formats the value of a field; a list is shown as its length. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message);
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

/** @param isFormatted writes formatted lines instead of JSON */
export const createLogger = (level: Config['LOG_LEVEL'], isFormatted = process.stderr.isTTY): Logger =>
  pino({ level }, { write: isFormatted ? (line) => write(formatLogLine(line)) : write });

/** Logs the failure of background work, except an unavailable database, which is logged once where it is noticed. */
export function logBackgroundFailure(log: Logger, error: unknown, message: string): void {
  const level = error instanceof DatabaseUnavailableError ? 'debug' : 'warn';
  log[level]({ err: error }, message);
}

/**
 * Replaces control characters, so that text from a user cannot control the terminal.
 *
 * @param maxLength in characters; longer text is truncated
 */
export const toTerminalText = (text: string, maxLength = 80): string =>
  text.replace(/\p{C}/gu, '\ufffd').slice(0, maxLength);
