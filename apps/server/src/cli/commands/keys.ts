import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { Service } from '../../service.ts';
import type { Command, CommandIO } from '../command.ts';
import { recordOperationNow } from '../record-operation.ts';

export const keysCommand: Command = {
  name: 'keys',
  usage: 'show | rotate [--drop-old]',
  description:
    'Print the API keys and the public key of the audit log, or create a signing key; --drop-old revokes tokens signed with older keys.',
  parse(args) {
    const { positionals, values } = parseArguments(args, { 'drop-old': { type: 'boolean' } }, 1);
    const [action] = positionals;
    if (action === 'show') return { requires: 'service-settings', run: showKeys };
    if (action !== 'rotate') throw new UsageError('Expected show or rotate.');
    const dropOld = values['drop-old'] ?? false;
    return { requires: 'service-settings', run: (service, io) => rotateKeys(service, io, dropOld) };
  },
};

async function showKeys({ auditChain, database, keys }: Service, io: CommandIO): Promise<number> {
  await recordOperationNow(database, io, 'keys_shown');
  io.print(`ANON_KEY=${keys.anonKey}`);
  io.print(`SERVICE_ROLE_KEY=${keys.serviceRoleKey}`);
  io.print(`AUDIT_PUBLIC_KEY=${auditChain.publicKey}`);
  return 0;
}

async function rotateKeys({ database, keys }: Service, io: CommandIO, dropOld: boolean): Promise<number> {
  await keys.rotate({ dropOld });
  await recordOperationNow(database, io, 'signing_key_created', { older_keys_dropped: dropOld });
  io.print(
    dropOld
      ? 'Created a signing key. Tokens signed with older keys are rejected, by other replicas within a minute. Clients refresh their sessions automatically.'
      : 'Created a signing key. Tokens signed with older keys stay valid until they expire.',
  );
  return 0;
}
