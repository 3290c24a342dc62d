/** Functions about invitations: history, unsent invitations, and a link if no email delivers it. */
import { administratorEmailSchema, invitationIdSchema } from '@lanternrock/contract/invitations';
import { invitationTermsSchema } from '@lanternrock/contract/invitation-terms';
import { DomainError } from '../errors.ts';
import { readInvitationHistory } from '../invitations/invitation-history.ts';
import { setTerms } from '../invitations/invitation-terms.ts';
import { readUnsent } from '../invitations/unsent-invitations.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/** A function instead of a view, so that API roles need no grant on the delivery table. */
export const invitationHistory = defineFunction({
  name: 'invitation-history',
  input: invitationIdSchema,
  noStore: true,
  work: async ({ input, transaction, config, now }) => {
    const history = await transaction(async (tx) =>
      readInvitationHistory(tx, config, { id: input.invitation_id, now: await now(tx) }),
    );
    if (!history) throw new DomainError('no_invitation', 'Invitation not found.');
    return history;
  },
});

export const unsentInvitations = defineFunction({
  name: 'unsent-invitations',
  input: null,
  noStore: true,
  work: async ({ transaction, now }) => ({
    invitations: await transaction(async (tx) => readUnsent(tx, await now(tx))),
  }),
});

export const createInvitationLink = defineFunction({
  name: 'create-invitation-link',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Creating an invitation link',
  noStore: true,
  returnsSecret: true,
  work: async ({ input, principal, client, authorize, invitations }) => {
    const invitee = { email: input.email, invitedBy: principal.userId, client, authorize };
    const { link, expiresAt } = await invitations.createReplacementLink(invitee);
    return { link, expires_at: expiresAt.toISOString() };
  },
});

/** Sets note and expiry of the next email; the next call of `send-user-invitation` uses them. */
export const setInvitationTerms = defineFunction({
  name: 'set-invitation-terms',
  limit: functionLimits.invitations,
  input: invitationTermsSchema,
  noStore: true,
  work: async ({ input, authorize, database, config, now }) => {
    const { invitation_id: id, note, expires_in: seconds, expires_at: time } = input;
    const until = time ? { expiresAt: new Date(time) } : null;
    const terms = { note: note ?? null, expiry: seconds ? { expiresIn: seconds } : until };
    return setTerms(database, { id, terms, defaultSeconds: config.INVITATION_TTL, now, authorize });
  },
});
