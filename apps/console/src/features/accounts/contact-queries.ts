/** The contacts of an account and their changes. Each change sends the whole list. */
import type {
  AccountContact,
  AccountContactsResponse,
  ContactFieldsInput,
} from '@lanternrock/contract/account-contacts';
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage, isUnanswered, shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { retryButton, type SubmitOptions } from '../../forms/use-submit.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { toast } from '../../ui/toast.ts';
import { updateCachedAccount } from './accounts-cache.ts';
import { contactsText as text } from './contacts-text.ts';

export interface ContactList extends AccountContactsResponse {
  /** Number of changes that this browser has seen, for the activity below the list. Never decreases. */
  readonly changes: number;
}

/** A contact as a request contains it. Without an ID, it is added. */
type SentContact = ContactFieldsInput & { readonly id?: string };

const toSentContact = ({ phone, phone_text: _text, ...contact }: AccountContact) => ({
  id: contact.id,
  name: contact.name,
  role: contact.role ?? '',
  phone: phone ?? '',
  email: contact.email ?? '',
  note: contact.note ?? '',
});

/** The list of accounts searches the contacts, too. */
const showSearchText = (client: QueryClient, accountId: string, contact_text: string | null): void =>
  updateCachedAccount(client, accountId, (row) =>
    row.contact_text === contact_text ? row : { ...row, contact_text },
  );

export const contactsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['account-contacts', accountId],
    queryFn: async ({ client, queryKey }): Promise<ContactList> => {
      const response = await callFunction('account-contacts', { account_id: accountId });
      if (!Array.isArray(response.contacts)) throw shapeError();
      showSearchText(client, accountId, response.contact_text);
      const { version, changes } = client.getQueryData<ContactList>(queryKey) ?? { ...response, changes: 0 };
      return { ...response, changes: response.version === version ? changes : changes + 1 };
    },
    refetchInterval: panelIntervalMs,
  });

type ContactChange = 'add' | 'save' | 'remove' | 'move';

export interface ContactSubmission {
  readonly kind: ContactChange;
  readonly name: string;
  /** The list that the user saw. A repeated request has the same one, so that it has its effect once. */
  readonly base: ContactList;
  /** Returns the list to save. */
  readonly change: (contacts: readonly SentContact[]) => readonly SentContact[];
}

const texts = {
  add: [text.added, text.addedDescription],
  save: [text.saved, text.savedDescription],
  remove: [text.removed, text.removedDescription],
} as const;

const sendList = (accountId: string, { base, change }: ContactSubmission): Promise<AccountContactsResponse> =>
  callFunction('set-account-contacts', {
    account_id: accountId,
    version: base.version,
    contacts: change(base.contacts.map(toSentContact)),
  });

const showList = (client: QueryClient, accountId: string, response: AccountContactsResponse): void => {
  client.setQueryData(contactsQuery(accountId).queryKey, (list) => ({
    ...response,
    changes: (list?.changes ?? 0) + 1,
  }));
  showSearchText(client, accountId, response.contact_text);
};

const readAgain = (client: QueryClient, accountId: string): void =>
  void client.invalidateQueries({ queryKey: contactsQuery(accountId).queryKey });

interface UndoneChange {
  readonly client: QueryClient;
  readonly accountId: string;
  readonly name: string;
  /** Of the list after the change. */
  readonly version: string;
}

/** Never rejects: a toast shows the result. A list that changed since is left alone. */
const undoChange = async (undone: UndoneChange): Promise<void> => {
  const { client, accountId, name, version } = undone;
  const action = `contacts ${accountId}`;
  try {
    await callFunction('undo-change', { account_id: accountId, contacts: version });
    readAgain(client, accountId);
    toast({ action, title: text.undone, description: text.undoneDescription(name) });
  } catch (error) {
    if (!isUnanswered(error)) readAgain(client, accountId);
    toast({
      action,
      title: text.changeFailed,
      description: errorMessage(error),
      variant: 'destructive',
      button: retryButton(action, error, () => void undoChange(undone)),
    });
  }
};

/** Returns the options of a submission that changes the list. */
export const useContactChange = (
  accountId: string,
): Pick<
  SubmitOptions<ContactSubmission, AccountContactsResponse>,
  'action' | 'repeatable' | 'send' | 'done' | 'failed'
> => {
  const client = useQueryClient();
  return {
    action: `contacts ${accountId}`,
    repeatable: true,
    send: (submission) => sendList(accountId, submission),
    done: (response, { kind, name }) => {
      showList(client, accountId, response);
      if (kind === 'move') return undefined;
      const { version } = response;
      const [title, description] = texts[kind];
      return {
        title,
        description: description(name),
        button: {
          label: text.undo,
          onPress: () => void undoChange({ client, accountId, name, version }),
        },
      };
    },
    failed: (error) => {
      if (!isUnanswered(error)) readAgain(client, accountId);
      return { title: text.changeFailed, description: errorMessage(error) };
    },
  };
};

/** Returns the field that shows an error of the service. */
export const contactFieldErrors = (error: unknown): { phone?: string } =>
  error instanceof ApiError && error.code === 'invalid_phone' ? { phone: errorMessage(error) } : {};
