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

interface CommandBase {
  readonly name: string;
  /** Arguments and options, for the help. */
  readonly usage: string;
  /** One imperative sentence, for the help. */
  readonly description: string;
  /**
   * Validates arguments and settings before a database is opened or created.
   *
   * @throws UsageError
   * @throws OperationalError
   */
  validate?(args: readonly string[], files: CommandFiles, config: Config): Promise<void>;
  /**
   * Returns the arguments that can name files to write; without it there are none. Another user may own a running service,
   * so it can write no other files of the client.
   */
  writableFiles?(args: readonly string[]): readonly string[];
  /** Returns true if the arguments create links or emails, or use keys. The settings must then be those of the service. */
  needsServiceSettings?(args: readonly string[]): boolean;
  /**
   * Runs arguments that need neither settings nor a database, in the client process.
   *
   * @returns the exit code; null for all other arguments
   * @throws UsageError
   */
  runOffline?(args: readonly string[], io: CommandIO): Promise<number | null>;
}

interface DatabaseCommand extends CommandBase {
  /**
   * `none`: creates the database if there is none. `new-database`: like `none`, also if an earlier database of the
   * instance is missing. `database`: opens an existing database. The schema can have any version.
   */
  readonly requires: 'none' | 'new-database' | 'database';
  /** @returns the exit code */
  run(context: DatabaseContext, args: readonly string[], io: CommandIO): Promise<number>;
}

/** Runs in any state, even if the database cannot be opened. */
interface DiagnosticCommand extends CommandBase {
  readonly requires: 'any';
  /** @returns the exit code */
  run(context: DiagnosticContext, args: readonly string[], io: CommandIO): Promise<number>;
}

/** The subset of `Service` that needs no keys. */
export type KeylessContext = Pick<Service, 'database' | 'clock'>;

/** Uses the service and requires a database of this schema version. */
interface ServiceCommand extends CommandBase {
  readonly requires: 'current-schema';
  /** Returns the action of arguments that must also work when the keys are lost; null for all others. */
  keylessAction?(
    args: readonly string[],
  ): ((context: KeylessContext, io: CommandIO) => Promise<number>) | null;
  /** @returns the exit code */
  run(service: Service, args: readonly string[], io: CommandIO): Promise<number>;
}

export type Command = DatabaseCommand | DiagnosticCommand | ServiceCommand;

/** The subset of `Service` that exists before the service is opened. */
type DatabaseContext = Pick<Service, 'config' | 'log' | 'database'>;

/** The database, or the reason why it cannot be opened. */
type DiagnosticContext = Pick<DoctorContext, 'config' | 'database'>;
