/** The contacts of an account, in its panel: list, add, edit, move, remove. Loaded on demand. */
import {
  maxContacts,
  type AccountContact,
  type AccountContactsResponse,
} from '@lanternrock/contract/account-contacts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import {
  contactsQuery,
  type ContactList,
  type ContactSubmission,
  useContactChange,
} from './contact-queries.ts';
import { contactsText as text } from './contacts-text.ts';

interface AccountContactsProps {
  open: boolean;
  account: AccountRow;
}

export function AccountContacts({ account }: AccountContactsProps): React.JSX.Element {
  const { data, error, isError, isFetching, refetch } = useQuery(contactsQuery(account.id));
  if (data === undefined)
    return isError ? (
      <ErrorState
        title={text.loadFailed}
        description={errorMessage(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    ) : (
      <Skeleton className="h-24 w-full" />
    );
  return <Contacts accountId={account.id} list={data} busy={isFetching} />;
}

/** What the focus returns to: the pressed button of a contact. Moving a contact moves its buttons in the page. */
const buttonOf = (group: HTMLElement | null, id: string, action: string): HTMLButtonElement | null => {
  const buttons = Array.from(group?.querySelectorAll<HTMLButtonElement>('[data-contact]') ?? []);
  const own = buttons.filter((button) => button.dataset['contact'] === id);
  return (
    own.find((button) => button.dataset['action'] === action && !button.disabled) ??
    own.find((button) => !button.disabled) ??
    null
  );
};

interface ContactsProps {
  accountId: string;
  list: ContactList;
  busy: boolean;
}

function Contacts({ accountId, list, busy }: ContactsProps): React.JSX.Element {
  const group = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState('');
  const { dialog, edit } = useContactDialog(accountId, list, group);
  const { pending, run, running } = useListChanges(accountId, list, group, setMoved);
  const { contacts } = list;
  return (
    <div ref={group} tabIndex={-1} role="group" aria-label={text.title} className="grid gap-3 rounded-md">
      {contacts.length === 0 && <p className="text-sm text-muted">{text.empty}</p>}
      {contacts.length > 0 && (
        <ol aria-label={text.list} aria-busy={busy} className="grid">
          {contacts.map((contact, index) => (
            <ContactItem
              key={contact.id}
              contact={contact}
              isFirst={index === 0}
              isLast={index === contacts.length - 1}
              pending={pending}
              running={running?.id === contact.id ? running.action : undefined}
              onAction={(action) => (action === 'edit' ? edit(contact) : run(action, contact))}
            />
          ))}
        </ol>
      )}
      <output className="sr-only">{moved}</output>
      {contacts.length < maxContacts ? (
        <div>
          <Button
            variant="outline"
            size="sm"
            data-contact="new"
            disabled={pending}
            onClick={() => edit(undefined)}
          >
            {text.add}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">{text.full}</p>
      )}
      {dialog}
    </div>
  );
}

/** Opens the form of a contact; undefined for a new one. */
const useContactDialog = (
  accountId: string,
  list: ContactList,
  group: RefObject<HTMLDivElement | null>,
): { dialog: ReactNode; edit: (contact: AccountContact | undefined) => void } => {
  const [shown, setShown] = useState<{
    readonly contact: AccountContact | undefined;
    readonly opening: number;
  }>();
  const [open, setOpen] = useState(false);
  const shownId = shown?.contact?.id ?? 'new';
  const finalFocus = useCallback(
    (): HTMLElement | null => buttonOf(group.current, shownId, 'edit') ?? group.current,
    [group, shownId],
  );
  return {
    edit: (contact) => {
      setShown({ contact, opening: (shown?.opening ?? 0) + 1 });
      setOpen(true);
    },
    dialog: shown && (
      <ContactDialog
        key={shown.opening}
        open={open}
        accountId={accountId}
        list={list}
        contact={shown.contact}
        finalFocus={finalFocus}
        onClose={() => setOpen(false)}
        onClosed={() => setShown(undefined)}
      />
    ),
  };
};

type ItemAction = 'edit' | 'up' | 'down' | 'remove';
type ListAction = Exclude<ItemAction, 'edit'>;

interface RunningAction {
  readonly id: string;
  readonly action: ListAction;
}

/** Moves or removes one contact at a time, because each change sends the whole list. */
const useListChanges = (
  accountId: string,
  list: ContactList,
  group: RefObject<HTMLDivElement | null>,
  announce: (text: string) => void,
) => {
  const { pending, submit } = useSubmit<ContactSubmission, AccountContactsResponse>(
    useContactChange(accountId),
  );
  const [running, setRunning] = useState<RunningAction>();
  const pressed = useRef<RunningAction & { readonly version: string }>(undefined);
  useEffect(() => {
    if (pending || pressed.current === undefined) return;
    const { id, action, version } = pressed.current;
    // A pending button is disabled, and a moved one is inserted again: both lose the focus.
    if (document.activeElement === document.body)
      (buttonOf(group.current, id, action) ?? group.current)?.focus();
    if (list.version !== version) pressed.current = undefined;
  }, [group, pending, list.version]);
  const run = async (action: ListAction, { id, name }: AccountContact): Promise<void> => {
    pressed.current = { id, action, version: list.version };
    setRunning({ id, action });
    const from = list.contacts.findIndex((each) => each.id === id);
    const to = from + (action === 'up' ? -1 : 1);
    const done = await submit({
      kind: action === 'remove' ? 'remove' : 'move',
      name,
      base: list,
      change: (contacts) => {
        const others = contacts.filter((each) => each.id !== id);
        return action === 'remove'
          ? others
          : others.toSpliced(to, 0, ...contacts.filter((each) => each.id === id));
      },
    });
    if (done && action !== 'remove') announce(text.moved(name, to + 1, list.contacts.length));
  };
  return {
    pending,
    running: pending ? running : undefined,
    run: (action: ListAction, contact: AccountContact): void => void run(action, contact),
  };
};

interface ContactItemProps {
  contact: AccountContact;
  isFirst: boolean;
  isLast: boolean;
  pending: boolean;
  running: ListAction | undefined;
  onAction: (action: ItemAction) => void;
}

function ContactItem({
  contact,
  isFirst,
  isLast,
  pending,
  running,
  onAction,
}: ContactItemProps): React.JSX.Element {
  const { id, name, role, note } = contact;
  const button = (action: ItemAction, label: string) => ({
    size: 'sm' as const,
    'data-contact': id,
    'data-action': action,
    'aria-label': text.actionOn(label, name),
    ...(action !== 'edit' && { pending: running === action }),
    onClick: () => onAction(action),
  });
  return (
    <li className="grid gap-1.5 border-t border-border py-3 first:border-t-0 first:pt-0">
      <div className="grid gap-0.5 text-sm wrap-anywhere">
        <bdi translate="no" className="font-medium">
          {name}
        </bdi>
        {role !== null && (
          <bdi translate="no" className="text-muted">
            {role}
          </bdi>
        )}
        <Addresses contact={contact} />
        {note !== null && (
          <bdi translate="no" className="text-muted">
            {note}
          </bdi>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" disabled={pending} {...button('edit', text.edit)}>
          {text.edit}
        </Button>
        <Button variant="outline" disabled={pending || isFirst} {...button('up', text.moveUp)}>
          <ArrowUp aria-hidden />
        </Button>
        <Button variant="outline" disabled={pending || isLast} {...button('down', text.moveDown)}>
          <ArrowDown aria-hidden />
        </Button>
        <Button variant="outlineDestructive" disabled={pending} {...button('remove', text.remove)}>
          {text.remove}
        </Button>
      </div>
    </li>
  );
}

const linkStyle = 'w-fit rounded-sm text-primary underline underline-offset-2';

function Addresses({ contact }: { contact: AccountContact }): React.JSX.Element {
  const { phone, phone_text: phoneText, email } = contact;
  return (
    <>
      {phone !== null && (
        <a href={`tel:${phone}`} translate="no" className={`${linkStyle} tabular-nums`}>
          {phoneText}
        </a>
      )}
      {email !== null && (
        <a
          href={`mailto:${email.replaceAll(/[%?&#]/g, encodeURIComponent)}`}
          translate="no"
          className={linkStyle}
        >
          {email}
        </a>
      )}
    </>
  );
}
