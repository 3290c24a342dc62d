/** Functions about invitations: send, history, unsent list, link, terms, revoke. */
import { invitationTermsSchema, toExpiryChoice } from '@lanternrock/contract/invitation-terms';
import {
  administratorEmailSchema,
  invitationIdSchema,
  revokeInvitationSchema,
  sendInvitationSchema,
} from '@lanternrock/contract/invitations';
import { invitationNotFoundError, noOpenInvitationError } from '../errors.ts';
import { readInvitationHistory } from '../invitations/invitation-history.ts';
import { setTerms } from '../invitations/invitation-terms.ts';
import { readUnsent } from '../invitations/unsent-invitations.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';
import { toInvitationResponse, toLinkResponse } from './invitation-response.ts';

/**
 * Sends or resends an invitation. Status 200 means that the invitation is stored; `success` is true if the mail server
 * accepted the email or, with `delivery: local`, the local mailbox saved it. With `retry_at`, the service sends the email
 * later; with `delivery: sending`, another request sends it. Other fields of the body, such as a role or a redirect URL,
 * are ignored.
 */
export const sendUserInvitation = defineFunction({
  name: 'send-user-invitation',
  limit: functionLimits.invitations,
  input: sendInvitationSchema,
  work: async ({ input, principal, client, authorize, startedAt, invitations }) => {
    const result = await invitations.invite({
      email: input.email,
      fullName: input.full_name,
      ...(input.terms && {
        terms: { note: input.terms.note ?? undefined, expiry: toExpiryChoice(input.terms) ?? undefined },
      }),
      invitedBy: principal.userId,
      client,
      authorize,
      list: input.list_id === undefined ? undefined : { kind: 'list_resent', id: input.list_id },
      startedAt,
    });
    return toInvitationResponse(result);
  },
});

/** A function instead of a view, so that API roles need no grant on the delivery table. */
export const invitationHistory = defineFunction({
  name: 'invitation-history',
  input: invitationIdSchema,
  noStore: true,
  work: async ({ input, transaction, config, now }) => {
    const history = await transaction(async (tx) =>
      readInvitationHistory(tx, config, { id: input.invitation_id, now: await now(tx) }),
    );
    if (!history) throw invitationNotFoundError();
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
    const request = { email: input.email, invitedBy: principal.userId, client, authorize };
    return toLinkResponse(await invitations.createReplacementLink(request));
  },
});

/** Sets note and expiry of the next email; the next call of `send-user-invitation` uses them. */
export const setInvitationTerms = defineFunction({
  name: 'set-invitation-terms',
  limit: functionLimits.invitations,
  input: invitationTermsSchema,
  noStore: true,
  work: async ({ input, authorize, database, config, now }) => {
    const { invitation_id: id, note } = input;
    const terms = { note: note ?? null, expiry: toExpiryChoice(input) };
    return setTerms(database, { id, terms, defaultSeconds: config.INVITATION_TTL, now, authorize });
  },
});

export const revokeUserInvitation = defineFunction({
  name: 'revoke-user-invitation',
  limit: functionLimits.invitations,
  input: revokeInvitationSchema,
  work: async ({ input: { email, list_id: listId }, authorize, invitations }) => {
    const list = listId === undefined ? undefined : ({ kind: 'list_revoked', id: listId } as const);
    if (await invitations.revoke({ email, authorize, list })) return { success: true };
    throw noOpenInvitationError(email);
  },
});
