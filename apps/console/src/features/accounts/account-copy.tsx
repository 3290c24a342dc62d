/** Copies the ID, the slug, the address or the link of an account, one press each. */
import type { AccountRow } from '@lanternrock/contract/rows';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useCopyToClipboard } from '../../ui/use-copy-to-clipboard.ts';
import { accountPanelText } from './account-panel-text.ts';

const text = accountPanelText.copy;

interface AccountCopyProps {
  account: AccountRow;
  /** The lines of the address. */
  address: readonly string[];
}

export function AccountCopy({ account, address }: AccountCopyProps): React.JSX.Element {
  const link = `${location.origin}/admin/accounts?account=${encodeURIComponent(account.id)}`;
  const values = [
    { name: text.id, value: account.id },
    { name: text.slug, value: account.slug },
    { name: text.address, value: address.join('\n') },
    { name: text.link, value: link },
  ].filter(({ value }) => value !== '');
  return (
    <div role="group" aria-label={text.label} className="-mx-3 flex flex-wrap">
      {values.map((each) => (
        <CopyButton key={each.name} {...each} />
      ))}
    </div>
  );
}

function CopyButton({ name, value }: { name: string; value: string }): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  const [failed, setFailed] = useState(false);
  const feedback = copied ? text.copied : failed ? text.notCopied : '';
  return (
    <Button
      variant="ghost"
      size="sm"
      title={text.copy(name)}
      onClick={() => void copy(value).then((done) => setFailed(!done))}
    >
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span className="sr-only">{text.verb}</span>
      <span className="inline-block first-letter:uppercase">{name}</span>
      <span aria-live="polite" className="text-muted empty:hidden">
        {feedback}
      </span>
    </Button>
  );
}
