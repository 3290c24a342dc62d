import { invitationSchema } from '@lanternrock/contract/invitations';
import { succeeded } from '../../mail/email-job.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import { inviteFromCsv } from './invite-list.ts';

/** The way back in when no administrator can sign in any more. */
export const inviteCommand: Command = {
  name: 'invite',
  usage: 'EMAIL --name NAME [--link] | --csv FILE [--dry-run]',
  description:
    'Invites an administrator by mail; --link, or no mail server, prints the link. --csv: a whole list.',
  requires: 'current-schema',
  async run(service, args, output) {
    const { positionals, values } = parseArguments(
      args,
      {
        name: { type: 'string' },
        link: { type: 'boolean' },
        csv: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
      1,
    );
    if (values.csv !== undefined) {
      if (positionals.length > 0 || values.name !== undefined || values.link)
        throw new UsageError('--csv goes with --dry-run only: names and addresses stand in the file.');
      return inviteFromCsv(service, { file: values.csv, dryRun: values['dry-run'] ?? false }, output);
    }
    if (values['dry-run']) throw new UsageError('--dry-run goes with --csv.');
    const { config, invitations } = service;
    if (positionals[0] === undefined) throw new UsageError('Name the address to invite.');
    if (values.name === undefined) throw new UsageError('Say whom you invite: --name "Robin Hart"');
    const person = invitationSchema.safeParse({ email: positionals[0] ?? '', full_name: values.name ?? '' });
    if (!person.success) throw new UsageError(person.error.issues.map((issue) => issue.message).join('. '));
    const { email, full_name: fullName } = person.data;
    if (values.link || !config.SMTP_URL) {
      const { link, expiresAt } = await invitations.createLink({ email, fullName }, setAuditOrigin(output));
      output.print(`${email} sets a password with this link until ${expiresAt.toISOString()}:`);
      output.print(link);
      return 0;
    }
    const { delivery } = await invitations.invite({
      email,
      fullName,
      invitedBy: null,
      authorize: setAuditOrigin(output),
      arrivedAt: new Date(),
    });
    if (succeeded(delivery.outcome)) {
      output.print(`An invitation email has been sent to ${email}.`);
      return 0;
    }
    output.printError(
      `The invitation exists, but its mail was not sent: ${delivery.answer ?? 'the mail server did not answer'}`,
    );
    return 1;
  },
};
