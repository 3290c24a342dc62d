/** Shows new recovery codes once, with buttons to copy and print them. */
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import { useRef, useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { runtimeConfig } from '../../api/backend.ts';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { useBackLayer } from '../../ui/use-back-layer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { formatDate } from '../../ui/format-time.ts';
import { startDownload } from '../../ui/save-file.ts';
import { useCopyWithToast } from '../../ui/use-copy-with-toast.ts';
import './print-sheet.css';
import { securityText } from './security-text.ts';
import { QuotedText, splitQuoted } from '../../ui/quoted-text.tsx';

const text = securityText.recovery;

interface RecoveryCodesDialogProps {
  /** Undefined while closed. */
  codes: readonly string[] | undefined;
  email: string;
  onClose: () => void;
}

/** Only its button closes the dialog, because the codes cannot be shown again. */
export function RecoveryCodesDialog({ codes, email, onClose }: RecoveryCodesDialogProps): React.JSX.Element {
  const [shown, setShown] = useState(codes);
  if (codes !== undefined && codes !== shown) setShown(codes);
  const done = useRef<HTMLButtonElement>(null);
  // Back neither leaves the page nor opens the dialog of an earlier entry over this one.
  useBackLayer(codes !== undefined, () => undefined);
  return (
    <Dialog
      open={codes !== undefined}
      title={text.dialogTitle}
      description={text.dialogDescription}
      size="md"
      initialFocus={done}
      dismissible={false}
      onOpenChange={onClose}
      // Do not keep the codes in memory.
      onClosed={() => setShown(undefined)}
      finalFocus={() => document.getElementById('security-recovery') ?? true}
    >
      <Codes codes={shown ?? []} email={email} />
      <DialogActions>
        <CopyButton codes={shown ?? []} />
        <Button variant="outline" onClick={() => saveCodes(shown ?? [], email)}>
          <Download aria-hidden />
          {text.save}
        </Button>
        <Button variant="outline" onClick={() => print()}>
          <Printer aria-hidden />
          {text.print}
        </Button>
        <Button ref={done} onClick={onClose}>
          {text.close}
        </Button>
      </DialogActions>
      <LeaveGuard active={codes !== undefined} {...text.leave} />
    </Dialog>
  );
}

const saveCodes = (codes: readonly string[], email: string): void => {
  const head = [
    text.sheetTitle(runtimeConfig.productName),
    splitQuoted(text.sheetFor(email, formatDate(serverNow().toISOString()))).join(''),
  ];
  // Editors of Windows need the line breaks of Windows.
  const file = new Blob([[...head, '', ...codes, ''].join('\r\n')], { type: 'text/plain' });
  startDownload(file, text.fileName);
};

function Codes({ codes, email }: { codes: readonly string[]; email: string }): React.JSX.Element {
  const [today] = useState(() => formatDate(serverNow().toISOString()));
  return (
    <div data-print-sheet="" className="rounded-md border border-border bg-subtle p-4">
      <div className="mb-6 hidden print:block">
        <p className="text-lg font-semibold">{text.sheetTitle(runtimeConfig.productName)}</p>
        <p>
          <QuotedText>{text.sheetFor(email, today)}</QuotedText>
        </p>
      </div>
      <ul
        aria-label={text.listLabel}
        className="grid gap-x-6 gap-y-1.5 font-mono text-sm min-[27rem]:grid-cols-2 print:grid-cols-1 print:text-lg"
      >
        {codes.map((code) => (
          <li key={code} translate="no" className="select-all">
            {code}
          </li>
        ))}
      </ul>
    </div>
  );
}

function CopyButton({ codes }: { codes: readonly string[] }): React.JSX.Element {
  const { copied, copy } = useCopyWithToast({ action: 'copy-recovery-codes' });
  return (
    <Button variant="outline" onClick={() => copy(codes.join('\n'))}>
      <Copy aria-hidden />
      <span aria-live="polite">{copied ? text.copied : text.copy}</span>
    </Button>
  );
}
