import { invitationSchema } from '@lanternrock/contract/invitations';
import { Refusal } from '../../errors.ts';
import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

/** The way back in when no administrator can sign in any more. */
export const inviteCommand: Command = {
  name: 'invite',
  usage: 'EMAIL --name NAME [--link]',
  about: 'Invites an administrator by mail; --link, or no mail server, prints the link instead.',
  async run({ config, invitations }, args, output) {
    const { positionals, values } = readArguments(args, {
      name: { type: 'string' },
      link: { type: 'boolean' },
    });
    const person = invitationSchema.safeParse({ email: positionals[0] ?? '', full_name: values.name ?? '' });
    if (!person.success) throw new UsageProblem(person.error.issues.map((issue) => issue.message).join('. '));
    const { email, full_name: fullName } = person.data;
    if (values.link || !config.SMTP_URL) {
      const { link, expiresAt } = await invitations.createLink({ email, fullName });
      output.line(`${email} sets a password with this link until ${expiresAt.toISOString()}:`);
      output.line(link);
      return 0;
    }
    try {
      const { delivery } = await invitations.invite({
        email,
        fullName,
        invitedBy: null,
        arrivedAt: new Date(),
      });
      if (delivery.outcome === 'handed_over') {
        output.line(`An invitation email has been sent to ${email}.`);
        return 0;
      }
      output.problem(
        `The invitation exists, but its mail was not sent: ${delivery.answer ?? 'the mail server did not answer'}`,
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      output.problem(error.message);
    }
    return 1;
  },
};
