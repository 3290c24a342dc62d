/** What the command line knows, in the order of the help. */
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

/** What the help tells of a command. */
type Described = Pick<Command, 'name' | 'usage' | 'description' | 'requires'>;

const startDescribed: Described = {
  name: 'start',
  usage: '[--demo]',
  description: 'Starts the service; --demo fills an empty instance with sample data.',
  requires: 'none',
};

/** All commands that run on an open database: every one besides `start`. */
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

export const allCommands: readonly Described[] = [startDescribed, ...commands];
