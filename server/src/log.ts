/** The log: lines of JSON on standard error. */
import fs from 'node:fs';
import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';

/**
 * A sink that fails (its reader is gone, its disk is full) costs the line and nothing else: pino's own
 * destination would end the process, and on a full disk hang in its last words.
 */
const standardError = {
  write: (line: string): void => {
    try {
      fs.writeSync(2, line);
    } catch {
      // There is no other place to tell it.
    }
  },
};

export const createLog = (level: Config['LOG_LEVEL']): Logger => pino({ level }, standardError);
