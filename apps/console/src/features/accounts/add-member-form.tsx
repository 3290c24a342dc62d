/** Adds a user to an account by email address, also with an end date. For an address with which no user can sign in, it opens an invitation. */
import { addAccountMemberSchema, type MemberChangeResponse } from '@lanternrock/contract/account-members';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { UsedAddress } from '../../forms/used-address.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { endDateField } from '../../shared/end-date/end-date.ts';
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmailInput } from '../../ui/input.tsx';
import { Field } from '../../ui/field.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { EndDateOption } from './end-date-option.tsx';
import { memberInvitationsQuery } from './member-invitation-queries.ts';
import { memberInvitationsText } from './member-invitations-text.ts';
import { useShowMemberChange } from './member-queries.ts';
import { membersText as text } from './members-text.ts';

const InviteMemberDialog = lazyOverlay(
  async () => (await import('./invite-member-dialog.tsx')).InviteMemberDialog,
);

interface AddMemberFormProps {
  account: Pick<AccountRow, 'id' | 'name'>;
}

export function AddMemberForm({ account }: AddMemberFormProps): React.JSX.Element {
  const [email, setEmail] = useState('');
  /** The value of the input of the end date; '' for none. */
  const [endsAt, setEndsAt] = useState('');
  /** The address with which no user can sign in, while the dialog is open. */
  const [unknown, setUnknown] = useState<string>();
  const invitee = useLastDefined(unknown);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <MemberEmailForm
        accountId={account.id}
        email={email}
        onEmail={setEmail}
        endsAt={endsAt}
        onEndsAt={setEndsAt}
        field={field}
        onUnknown={setUnknown}
      />
      {invitee !== undefined && (
        <InviteMemberDialog
          // Another address starts an empty form.
          key={invitee}
          open={unknown !== undefined}
          account={account}
          email={invitee}
          endsAt={endsAt}
          finalFocus={field}
          onInvited={() => {
            setEmail('');
            setEndsAt('');
          }}
          onClose={() => setUnknown(undefined)}
        />
      )}
    </>
  );
}

/** Rejections that concern the entered address. */
const fieldCodes = new Set(['already_member', 'validation_failed']);

interface NewMember {
  readonly email: string;
  /** RFC 3339, or null. */
  readonly endsAt: string | null;
}

interface MemberEmailFormProps {
  accountId: string;
  email: string;
  onEmail: (email: string) => void;
  endsAt: string;
  onEndsAt: (value: string) => void;
  field: RefObject<HTMLInputElement | null>;
  /** Called with an address with which no user can sign in, and that has no pending invitation. */
  onUnknown: (address: string) => void;
}

function MemberEmailForm({
  accountId,
  email,
  onEmail,
  endsAt,
  onEndsAt,
  field,
  onUnknown,
}: MemberEmailFormProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const [endError, setEndError] = useState<string>();
  const endField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const show = useShowMemberChange(accountId);
  const isInvited = useIsInvited(accountId);
  const showAtField = (message: string): void => {
    setError(message);
    field.current?.focus();
  };
  const { pending, submit } = useSubmit<NewMember, MemberChangeResponse>({
    action: 'add-member',
    send: ({ email: address, endsAt: end }) =>
      callFunction('add-account-member', { account_id: accountId, email: address, ends_at: end }),
    done: (response) => {
      onEmail('');
      onEndsAt('');
      return response.member === null ? undefined : show('add', response.member, response);
    },
    showInForm: (thrown, { email: address }) => {
      if (!(thrown instanceof ApiError)) return false;
      if (thrown.code === 'membership_end_in_past') {
        setEndError(errorMessage(thrown));
        endField.current?.focus();
        return true;
      }
      if (thrown.code === 'no_user') {
        if (isInvited(address)) showAtField(memberInvitationsText.alreadyInvited(address));
        else onUnknown(address);
        return true;
      }
      if (!fieldCodes.has(thrown.code ?? '')) return false;
      showAtField(errorMessage(thrown));
      return true;
    },
    failed: text.changeFailed,
    repeatable: true,
    // The input can have changed since.
    retry: (member) => (form.current === null ? void submit(member) : form.current.requestSubmit()),
  });
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const parsed = addAccountMemberSchema.safeParse({ account_id: accountId, email });
        const end = parseEnd(endField.current, endsAt);
        setError(parsed.error?.issues[0]?.message);
        setEndError(end.error);
        if (parsed.data === undefined) field.current?.focus();
        else if (end.error !== undefined) endField.current?.focus();
        else void submit({ email: parsed.data.email, endsAt: end.value });
      }}
    >
      <Field
        label={text.email}
        error={error}
        helpText={<UsedAddress typed={email} />}
        render={(control) => (
          <EmailInput
            {...control}
            ref={field}
            name="email"
            // An address typed while another one is being added would be lost.
            readOnly={pending}
            value={email}
            onChange={(event) => onEmail(event.target.value)}
          />
        )}
      />
      <EndDateOption
        value={endsAt}
        error={endError}
        readOnly={pending}
        field={endField}
        onChange={onEndsAt}
      />
      <div>
        <Button type="submit" variant="outline" size="sm" pending={pending} pendingLabel={text.adding}>
          {text.add}
        </Button>
      </div>
    </form>
  );
}

/** A half-filled input has the value '', as one without an end date. */
const parseEnd = (
  input: HTMLInputElement | null,
  typed: string,
): { readonly value: string | null; readonly error?: string | undefined } => {
  if (input?.validity.badInput === true) return { value: null, error: endDateText.invalid };
  const { data, error } = endDateField.safeParse(typed);
  return { value: data ?? null, error: error?.issues[0]?.message };
};

/** Returns a function that returns true if the shown list has a pending invitation of the address. */
const useIsInvited = (accountId: string): ((address: string) => boolean) => {
  const client = useQueryClient();
  return (address) => {
    const shown = client.getQueryData(memberInvitationsQuery(accountId).queryKey);
    return shown?.invitations.some(({ email, status }) => email === address && status === 'pending') === true;
  };
};
