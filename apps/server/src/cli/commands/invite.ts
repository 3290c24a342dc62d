import { normalizeEmail } from '@lanternrock/contract/email';
import { checkInvitees } from '@lanternrock/contract/invitation-list';
import { findUserByEmail } from '@lanternrock/auth/users';
import { isActiveAdministrator } from '../../invitations/invited-user.ts';
import { succeeded } from '../../mail/email-job.ts';
import { parseArguments } from '../parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import { toTerminalText } from '../../log.ts';
import type { Terms } from '../../invitations/term-columns.ts';
import type { Service } from '../../service.ts';
import type { Command, CommandIO } from '../command.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import { parseInviteeListOptions } from '../invitee-list.ts';
import { listOptions } from '../list-options.ts';
import { inviteFromCsv } from './invite-list.ts';

/**
 * Returns the user ID of the administrator that `--as` names, or null without the option.
 *
 * @throws UsageError if there is no such administrator
 */
async function findInviter({ database }: Service, email: string | undefined): Promise<string | null> {
  if (email === undefined) return null;
  const user = await findUserByEmail(database, normalizeEmail(email));
  if (user && (await isActiveAdministrator(database, user.id))) return user.id;
  throw new UsageError(`--as: ${toTerminalText(email)} is not an administrator.`);
}

interface Invitee {
  readonly email: string;
  readonly fullName: string;
  readonly invitedBy: string | null;
  readonly terms: Terms;
}

/** Values of the arguments, as typed. */
interface InviteeArguments {
  readonly email: string;
  readonly name: string;
  readonly note?: string | undefined;
  readonly expires?: string | undefined;
  readonly as?: string | undefined;
}

interface InvitationArguments extends InviteeArguments {
  /** Prints the link instead of sending it. */
  readonly link: boolean;
}

/** @throws UsageError */
async function readInvitee(
  service: Service,
  { email, name, note, expires, as }: InviteeArguments,
): Promise<Invitee> {
  const [row] = checkInvitees(
    [{ line: 1, email, fullName: name, note, expires }],
    await service.clock.read(service.database),
  );
  if (row?.problem?.kind === 'invalid') throw new UsageError(row.problem.reason);
  if (!row) throw new UsageError('Missing argument: EMAIL.');
  // An empty option removes what is stored.
  const terms = {
    note: note === undefined ? undefined : (row.note ?? null),
    expiry: expires === undefined ? undefined : (row.expiry ?? null),
  };
  return { email: row.email, fullName: row.fullName, invitedBy: await findInviter(service, as), terms };
}

const options = {
  ...listOptions,
  name: { type: 'string' },
  link: { type: 'boolean' },
  csv: { type: 'string' },
  'dry-run': { type: 'boolean' },
  note: { type: 'string' },
  expires: { type: 'string' },
  as: { type: 'string' },
} as const;

/** Also restores access if no administrator can sign in. */
export const inviteCommand: Command = {
  name: 'invite',
  usage: 'EMAIL --name NAME [--note TEXT] [--expires 3d] [--link] | --csv FILE [--dry-run]; [--as EMAIL]',
  description:
    'Invite an administrator by email. --link, or a service without SMTP_URL, prints the link; --csv invites a list; --as names the inviter.',
  parse(args) {
    const { positionals, values } = parseArguments(args, options, 1);
    const {
      csv: file,
      'dry-run': dryRun = false,
      link = false,
      as,
      name,
      note,
      expires,
      ...reading
    } = values;
    const invitee = { name, note, expires };
    const [email] = positionals;
    if (file === undefined) {
      const [unused] = dryRun ? ['dry-run'] : Object.keys(reading);
      if (unused !== undefined) throw new UsageError(`--${unused} requires --csv.`);
      if (email === undefined) throw new UsageError('Missing argument: EMAIL.');
      if (name === undefined)
        throw new UsageError('Missing option: --name, for example --name "Robin Hart".');
      return {
        requires: 'service-settings',
        run: (service, io) => inviteOne(service, io, { ...invitee, email, name, link, as }),
      };
    }
    if (email !== undefined || link || Object.values(invitee).some((value) => value !== undefined))
      throw new UsageError(
        '--csv takes names, emails, notes and expiries from the file and can be combined only with --dry-run, --as and the options of files.',
      );
    const list = parseInviteeListOptions(reading);
    return {
      requires: 'service-settings',
      run: async (service, io) => {
        const invitedBy = await findInviter(service, as);
        return inviteFromCsv(service, { file, list, dryRun, invitedBy }, io);
      },
    };
  },
};

async function inviteOne(
  service: Service,
  io: CommandIO,
  { link, ...invitation }: InvitationArguments,
): Promise<number> {
  const { config, invitations } = service;
  const invitee = await readInvitee(service, invitation);
  const { email } = invitee;
  const authorize = setCommandOrigin(io);
  if (link || !config.SMTP_URL) {
    const created = await invitations.createLink({ ...invitee, authorize });
    io.print(
      `Open this link to set a password for ${email}. It expires at ${created.expiresAt.toISOString()}:`,
    );
    io.print(created.link);
    return 0;
  }
  const { delivery } = await invitations.invite({
    ...invitee,
    fromCommandLine: true,
    authorize,
    startedAt: performance.now(),
  });
  if (succeeded(delivery.outcome)) {
    io.print(`An invitation email has been sent to ${email}.`);
    return 0;
  }
  if (delivery.retryAt) {
    const reason = toTerminalText(delivery.answer ?? 'the mail server did not respond');
    io.print(`The invitation email to ${email} is queued: ${reason}`);
    io.print(`The service tries again after ${delivery.retryAt.toISOString()}.`);
    return 0;
  }
  if (delivery.outcome === 'waiting') {
    io.print(`Another request is sending the invitation email to ${email}.`);
    return 0;
  }
  io.printError(
    `The invitation exists, but its email was not sent: ${delivery.answer ?? 'the mail server did not respond'}`,
  );
  return 1;
}
