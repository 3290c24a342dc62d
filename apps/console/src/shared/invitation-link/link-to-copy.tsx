/** The link of an invitation, which an administrator copies and shares. */
import type { InvitationLinkResponse } from '@lanternrock/contract/invitations';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { hasFocusMoved } from '../../ui/focus-moved.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { Input } from '../../ui/input.tsx';
import { useCopyToClipboard } from '../../ui/use-copy-to-clipboard.ts';
import { linkText as text } from './link-text.ts';

interface LinkToCopyProps {
  created: InvitationLinkResponse;
}

/** Takes the focus if no other element has it. */
export function LinkToCopy({ created }: LinkToCopyProps): React.JSX.Element {
  const { link, expires_at: expiresAt } = created;
  const { copied, copy } = useCopyToClipboard();
  const [copyFailed, setCopyFailed] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that created the link is gone.
    if (!hasFocusMoved()) copyButton.current?.focus();
  }, []);
  return (
    <div className="grid gap-2">
      <Field
        label={text.label}
        helpText={
          <>
            {text.expires} <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>
          </>
        }
        error={copyFailed ? text.notCopied : undefined}
        render={(control) => (
          <Input {...control} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        )}
      />
      <div>
        <Button
          ref={copyButton}
          variant="outline"
          size="sm"
          onClick={() => void copy(link).then((done) => setCopyFailed(!done))}
        >
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          <span aria-live="polite">{copied ? text.copied : text.copy}</span>
        </Button>
      </div>
    </div>
  );
}
