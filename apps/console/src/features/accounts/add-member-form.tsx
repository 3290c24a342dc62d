/** Adds a user to an account by email address, also with an end date. For an address with which no user can sign in, it opens an invitation. */
import { addAccountMemberSchema, type MemberChangeResponse } from '@lanternrock/contract/account-members';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { UsedAddress } from '../../forms/used-address.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
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
import { type EndDateState, useEndDate } from './use-end-date.ts';

const InviteMemberDialog = lazyOverlay(
  async () => (await import('./invite-member-dialog.tsx')).InviteMemberDialog,
);

interface AddMemberFormProps {
  account: Pick<AccountRow, 'id' | 'name'>;
}

export function AddMemberForm({ account }: AddMemberFormProps): React.JSX.Element {
  const [email, setEmail] = useState('');
  const end = useEndDate();
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
        end={end}
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
          endsAt={end.value}
          finalFocus={field}
          onInvited={() => {
            setEmail('');
            end.setValue('');
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
  end: EndDateState;
  field: RefObject<HTMLInputElement | null>;
  /** Called with an address with which no user can sign in, and that has no pending invitation. */
  onUnknown: (address: string) => void;
}

function MemberEmailForm({
  accountId,
  email,
  onEmail,
  end,
  field,
  onUnknown,
}: MemberEmailFormProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const show = useShowMemberChange(accountId);
  const isInvited = useIsInvited(accountId);
  const showAtField = (message: string): void => {
    setError(message);
    field.current?.focus();
  };
  const { pending, submit } = useSubmit<NewMember, MemberChangeResponse>({
    action: 'add-member',
    send: ({ email: address, endsAt }) =>
      callFunction('add-account-member', { account_id: accountId, email: address, ends_at: endsAt }),
    done: (response) => {
      onEmail('');
      end.setValue('');
      return response.member === null ? undefined : show('add', response.member, response);
    },
    showInForm: (thrown, { email: address }) => {
      if (!(thrown instanceof ApiError)) return false;
      if (thrown.code === 'membership_end_in_past') {
        end.showError(errorMessage(thrown));
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
        // Before the address, whose field has the focus if both are invalid.
        const endsAt = end.parse();
        setError(parsed.error?.issues[0]?.message);
        if (parsed.data === undefined) field.current?.focus();
        else if (endsAt !== undefined) void submit({ email: parsed.data.email, endsAt });
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
      <EndDateOption end={end} readOnly={pending} />
      <div>
        <Button type="submit" variant="outline" size="sm" pending={pending} pendingLabel={text.adding}>
          {text.add}
        </Button>
      </div>
    </form>
  );
}

/** Returns a function that returns true if the shown list has a pending invitation of the address. */
const useIsInvited = (accountId: string): ((address: string) => boolean) => {
  const client = useQueryClient();
  return (address) => {
    const shown = client.getQueryData(memberInvitationsQuery(accountId).queryKey);
    return shown?.invitations.some(({ email, status }) => email === address && status === 'pending') === true;
  };
};
