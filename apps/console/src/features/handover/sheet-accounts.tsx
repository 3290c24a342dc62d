/** The accounts of the emergency sheet, each with its contacts below it. */
import type { AccountContact } from '@lanternrock/contract/account-contacts';
import type { SheetAccount } from '@lanternrock/contract/handover';
import { memo } from 'react';
import { EmailAddress } from '../../ui/email-address.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { sheetText as text } from './handover-text.ts';
import { Cell, SheetTable } from './sheet-table.tsx';

const columns = text.columns;
const names = [columns.name, columns.type, columns.status, columns.address];

interface SheetAccountsProps {
  accounts: readonly SheetAccount[];
  truncated: boolean;
}

export const SheetAccounts = memo(({ accounts, truncated }: SheetAccountsProps): React.JSX.Element => (
  <SheetTable title={text.accounts(accounts.length, truncated)} names={names}>
    {accounts.map((account) => (
      // A page never starts with the contacts of an account.
      <tbody key={account.id} className="break-inside-avoid">
        <tr>
          <Cell last={account.contacts.length === 0} wrap="names">
            {account.name}
          </Cell>
          <Cell last={account.contacts.length === 0} wrap="words">
            {text.filter.types[account.account_type]}
          </Cell>
          <Cell last={account.contacts.length === 0} wrap="words">
            <StatusBadge status={account.status} size="sm" variant="outline" />
          </Cell>
          <Cell last={account.contacts.length === 0}>{formatAddress(account)}</Cell>
        </tr>
        {account.contacts.length > 0 && (
          <tr>
            <td colSpan={names.length} className="border-b border-border pr-3 pb-1.5 pl-4">
              <ul aria-label={text.contactsOf(account.name)} className="grid gap-0.5">
                {account.contacts.map((contact) => (
                  <Contact key={contact.id} contact={contact} />
                ))}
              </ul>
            </td>
          </tr>
        )}
      </tbody>
    ))}
  </SheetTable>
));
SheetAccounts.displayName = 'SheetAccounts';

function Contact({ contact }: { contact: AccountContact }): React.JSX.Element {
  const { name, role, phone, phone_text: phoneText, email, note } = contact;
  return (
    <li className="wrap-anywhere" translate="no">
      <bdi className="font-medium">{name}</bdi>
      {role !== null && (
        <>
          {', '}
          <bdi>{role}</bdi>
        </>
      )}
      {phone !== null && (
        <>
          {': '}
          <a href={`tel:${phone}`} className="font-medium whitespace-nowrap tabular-nums">
            {phoneText}
          </a>
        </>
      )}
      {email !== null && (
        <>
          {', '}
          <EmailAddress>{email}</EmailAddress>
        </>
      )}
      {note !== null && (
        <>
          {'. '}
          <bdi>{note}</bdi>
        </>
      )}
    </li>
  );
}

const formatAddress = ({ address, city, state, zip_code: zip }: SheetAccount): string =>
  [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ') || text.noName;
