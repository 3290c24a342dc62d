import { invitationSchema } from '@lanternrock/contract/invitations';
import { succeeded } from '../../mail/email-job.ts';
import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';
import { setAuditOrigin } from '../audit-origin.ts';
import { inviteFromCsv } from './invite-list.ts';

/** Also restores access if no administrator can sign in. */
export const inviteCommand: Command = {
  name: 'invite',
  usage: 'EMAIL --name NAME [--link] | --csv FILE [--dry-run]',
  description: 'Invite an administrator by email. --link prints the link; --csv invites a list.',
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
        throw new UsageError(
          '--csv takes names and emails from the file and can be combined only with --dry-run.',
        );
      return inviteFromCsv(service, { file: values.csv, dryRun: values['dry-run'] ?? false }, output);
    }
    if (values['dry-run']) throw new UsageError('--dry-run requires --csv.');
    const { config, invitations } = service;
    if (positionals[0] === undefined) throw new UsageError('Missing argument: EMAIL.');
    if (values.name === undefined)
      throw new UsageError('Missing option: --name, for example --name "Robin Hart".');
    const input = invitationSchema.safeParse({ email: positionals[0] ?? '', full_name: values.name ?? '' });
    if (!input.success) throw new UsageError(input.error.issues.map((issue) => issue.message).join('. '));
    const { email, full_name: fullName } = input.data;
    if (values.link || !config.SMTP_URL) {
      const { link, expiresAt } = await invitations.createLink({ email, fullName }, setAuditOrigin(output));
      output.print(
        `Open this link to set a password for ${email}. It expires at ${expiresAt.toISOString()}:`,
      );
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
      `The invitation exists, but its email was not sent: ${delivery.answer ?? 'the mail server did not respond'}`,
    );
    return 1;
  },
};
