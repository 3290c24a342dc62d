/** Adds an existing user to an account by email address. */
import { addAccountMemberSchema, type MemberChangeResponse } from '@lanternrock/contract/account-members';
import { useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { UsedAddress } from '../../forms/used-address.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { EmailInput } from '../../ui/input.tsx';
import { Field } from '../../ui/field.tsx';
import { useShowMemberChange } from './member-queries.ts';
import { membersText as text } from './members-text.ts';

/** Rejections that concern the entered address. */
const fieldCodes = new Set(['no_user', 'already_member', 'validation_failed']);

export function AddMemberForm({ accountId }: { accountId: string }): React.JSX.Element {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const show = useShowMemberChange(accountId);
  const { pending, submit } = useSubmit<string, MemberChangeResponse>({
    action: 'add-member',
    send: (address) => callFunction('add-account-member', { account_id: accountId, email: address }),
    done: (response) => {
      setEmail('');
      return response.member === null ? undefined : show('add', response.member, response);
    },
    showInForm: (thrown) => {
      if (!(thrown instanceof ApiError) || !fieldCodes.has(thrown.code ?? '')) return false;
      setError(errorMessage(thrown));
      field.current?.focus();
      return true;
    },
    failed: text.changeFailed,
    repeatable: true,
    // The input can have changed since.
    retry: (address) => (form.current === null ? void submit(address) : form.current.requestSubmit()),
  });
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const parsed = addAccountMemberSchema.safeParse({ account_id: accountId, email });
        setError(parsed.error?.issues[0]?.message);
        if (parsed.data !== undefined) void submit(parsed.data.email);
        else field.current?.focus();
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
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      />
      <div>
        <Button type="submit" variant="outline" size="sm" pending={pending} pendingLabel={text.adding}>
          {text.add}
        </Button>
      </div>
    </form>
  );
}
