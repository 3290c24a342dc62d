/** Texts of the contacts of an account. */
import { maxContacts } from '@lanternrock/contract/account-contacts';
import { quoted } from '../../ui/quoted-text.tsx';

export const contactsText = {
  title: 'Contacts',
  list: 'Contacts of the account',
  empty: 'This account has no contacts.',
  full: `An account has at most ${maxContacts} contacts. Remove one to add another.`,
  loadFailed: 'The contacts could not be loaded',
  add: 'Add contact',
  edit: 'Edit',
  remove: 'Remove',
  moveUp: 'Move up',
  moveDown: 'Move down',
  actionOn: (action: string, name: string) => `${action}: ${name}`,
  moved: (name: string, place: number, total: number) => `${name} is now number ${place} of ${total}.`,
  fields: {
    name: 'Name',
    role: 'Role',
    phone: 'Phone',
    phoneHelp: 'With the country code, for example +41 44 668 18 00.',
    email: 'Email',
    note: 'Note',
  },
  addTitle: 'Add Contact',
  editTitle: 'Edit Contact',
  description:
    'All administrators can see it. The members of the account can read it with the Data API, not in this console.',
  save: 'Save Contact',
  saving: 'Saving...',
  undo: 'Undo',
  added: 'Contact added',
  addedDescription: (name: string) => `${quoted(name)} is now a contact of this account.`,
  saved: 'Contact saved',
  savedDescription: (name: string) => `${quoted(name)} has been updated.`,
  removed: 'Contact removed',
  removedDescription: (name: string) => `${quoted(name)} is no longer a contact of this account.`,
  changeFailed: 'Error changing contacts',
  undone: 'Change undone',
  undoneDescription: (name: string) => `${quoted(name)} is back at the previous state.`,
} as const;
