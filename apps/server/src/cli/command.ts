/** A command of the command line. It runs inside the service when one is running, else by itself. */
import type { Config } from '../config/settings.ts';
import type { DoctorContext } from '../doctor/run-checks.ts';
import type { Service } from '../service.ts';

export interface Output {
  /** Where the command was typed; relative paths start there. */
  readonly cwd: string;
  /** Who typed it, as the operating system calls them; '' when it does not know. */
  readonly osUser: string;
  /** True in the process of the running service, false in one of the command's own. */
  readonly inService: boolean;
  /** One line for standard output. */
  print(text: string): void;
  /** One line for standard error. */
  printError(text: string): void;
  /** True once nobody reads along any more; a long command then stops. */
  isClosed(): boolean;
}

interface Described {
  readonly name: string;
  /** What follows the name, for the help. */
  readonly usage: string;
  /** One sentence for the help. */
  readonly description: string;
  /** Looks at what was typed, and at the settings, before a database is opened or made. @throws UsageError, OperationalError */
  validate?(args: readonly string[], cwd: string, config: Config): Promise<void>;
}

/** Works on the database as it is. */
interface DatabaseCommand extends Described {
  /** `none`: creates the database if there is none. `database`: opens an existing one of any version. */
  readonly requires: 'none' | 'database';
  /** @returns the exit code. */
  run(opened: OpenedParts, args: readonly string[], output: Output): Promise<number>;
}

/** Looks at whatever there is, also at a database that does not open. */
interface ExaminingCommand extends Described {
  readonly requires: 'any';
  /** @returns the exit code. */
  run(parts: ExaminedParts, args: readonly string[], output: Output): Promise<number>;
}

/** Works with the parts of the service, on a database of this version; another one is refused. */
interface ServiceCommand extends Described {
  readonly requires: 'current-schema';
  /** @returns the exit code. */
  run(service: Service, args: readonly string[], output: Output): Promise<number>;
}

export type Command = DatabaseCommand | ExaminingCommand | ServiceCommand;

/** Of a service, what there is before any of its parts is opened. */
type OpenedParts = Pick<Service, 'config' | 'log' | 'database'>;

/** The database, or why it does not open. */
type ExaminedParts = Pick<DoctorContext, 'config' | 'database'>;
