/** All commands besides `start`, in the order of the help. */
import type { Command } from './command.ts';
import { inviteCommand } from './commands/invite.ts';
import { migrateCommand } from './commands/migrate.ts';
import { statusCommand } from './commands/status.ts';

export const commands: readonly Command[] = [statusCommand, migrateCommand, inviteCommand];
