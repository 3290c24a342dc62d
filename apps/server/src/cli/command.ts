/** The interface of commands. A command runs in the running service if there is one, otherwise standalone. */
import type { Config } from '../config/settings.ts';
import type { DoctorContext } from '../doctor/run-checks.ts';
import type { Service } from '../service.ts';
import type { CommandFiles } from './command-files.ts';

/** Input, output and environment of one call of a command. */
export interface CommandIO {
  /** Opens the files that the arguments name. `node:fs` would use the directory and user of a running service. */
  readonly files: CommandFiles;
  /** Operating system name of the user; '' if there is none. */
  readonly osUser: string;
  /** True if the command runs in the running service, false if it runs standalone. */
  readonly inService: boolean;
  /** Prints one line to standard output. */
  print(text: string): void;
  /** Prints one line to standard error. */
  printError(text: string): void;
  /**
   * Resolves when the reader has received most of the printed lines, or has closed standard output. Await it before more
   * lines of a long output are created.
   */
  drained(): Promise<void>;
  /** Returns true if the reader of standard output has closed it. A long command then stops. */
  isClosed(): boolean;
}

export interface Command {
  readonly name: string;
  /** Arguments and options, for the help. */
  readonly usage: string;
  /** One imperative sentence, for the help. */
  readonly description: string;
  /** @throws UsageError */
  parse(args: readonly string[]): Invocation;
}

/** One call of a command, as its arguments describe it. */
export type Invocation = InvocationFiles &
  (OfflineInvocation | DiagnosticInvocation | DatabaseInvocation | SchemaInvocation | ServiceInvocation);

interface InvocationFiles {
  /**
   * Names of the files to write; without it there are none. Another user may own a running service, so it can write no
   * other files of the client.
   */
  readonly writableFiles?: readonly string[];
}

/** Runs in the client process, without settings. */
interface OfflineInvocation {
  readonly requires: 'nothing';
  /** @returns the exit code */
  run(context: unknown, io: CommandIO): Promise<number>;
}

/** The database, or the reason why it cannot be opened. */
type DiagnosticContext = Pick<DoctorContext, 'config' | 'database'>;

/** Runs in any state, even if the database cannot be opened. */
interface DiagnosticInvocation {
  readonly requires: 'any';
  /** @returns the exit code */
  run(context: DiagnosticContext, io: CommandIO): Promise<number>;
}

/** The parts of `Service` that exist before the service is opened. */
export type DatabaseContext = Pick<Service, 'config' | 'log' | 'database'>;

/** Runs on a database with a schema of any version. */
interface DatabaseInvocation {
  /**
   * `database`: opens an existing database. `none`: creates the database if there is none. `new-database`: like `none`,
   * also if an earlier database of the instance is missing.
   */
  readonly requires: 'database' | 'none' | 'new-database';
  /**
   * Checks files and settings before a database is opened or created.
   *
   * @throws UsageError
   * @throws OperationalError
   */
  prepare?(files: CommandFiles, config: Config): Promise<void>;
  /** @returns the exit code */
  run(context: DatabaseContext, io: CommandIO): Promise<number>;
}

/** The parts of `Service` that need no keys. */
export type KeylessContext = Pick<Service, 'database' | 'clock'>;

/** Requires a database with the schema of this version. Also works when the keys are lost. */
interface SchemaInvocation {
  readonly requires: 'current-schema';
  /** @returns the exit code */
  run(context: KeylessContext, io: CommandIO): Promise<number>;
}

/** Requires a database with the schema of this version, and the keys. */
interface ServiceInvocation {
  /** `service-settings`: creates links or emails, or uses keys. The settings must be those of the service. */
  readonly requires: 'service' | 'service-settings';
  /** @returns the exit code */
  run(service: Service, io: CommandIO): Promise<number>;
}
