/** All commands, in the order of the help. */
import type { Command } from './command.ts';
import { accountsCommand } from './commands/accounts.ts';
import { adminsCommand } from './commands/admins.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { inviteCommand } from './commands/invite.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { restoreCommand } from './commands/restore.ts';
import { signInsCommand } from './commands/sign-ins.ts';
import { statusCommand } from './commands/status.ts';

/** The properties of a command that the help shows. */
export type CommandHelp = Pick<Command, 'name' | 'usage' | 'description'>;

const startHelp: CommandHelp = {
  name: 'start',
  usage: '[--demo]',
  description: 'Start the service; --demo adds sample data to an empty instance.',
};

/** All commands except `start`. */
export const commands: readonly Command[] = [
  statusCommand,
  doctorCommand,
  inviteCommand,
  adminsCommand,
  accountsCommand,
  auditCommand,
  signInsCommand,
  keysCommand,
  backupCommand,
  restoreCommand,
  demoCommand,
  migrateCommand,
];

export const allCommands: readonly CommandHelp[] = [startHelp, ...commands];
