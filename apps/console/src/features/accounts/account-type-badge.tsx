/** A badge with the account type. The types differ in text and style. */
import type { AccountType } from '@lanternrock/contract/account-types';
import { Badge } from '../../ui/badge.tsx';
import { accountsText } from './accounts-text.ts';

export function AccountTypeBadge({ type }: { type: AccountType }): React.JSX.Element {
  return (
    <Badge variant={type === 'enterprise' ? 'secondary' : 'outline'}>
      {accountsText.types[type] ?? type}
    </Badge>
  );
}
