/** The DNS records of the sender domain, with the values to publish. */
import type {
  DomainRecord,
  DomainRecordStatus,
  SenderDomainResponse,
} from '@lanternrock/contract/notification-settings';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { useCopyToClipboard } from '../../ui/use-copy-to-clipboard.ts';
import { notificationsText } from './notifications-text.ts';

const text = notificationsText.delivery;

const variants: Readonly<Record<DomainRecordStatus, BadgeVariant>> = {
  pass: 'outline',
  missing: 'destructive',
  unknown: 'secondary',
};

export function DomainRecords({ response }: { response: SenderDomainResponse }): React.JSX.Element {
  return (
    <div className="grid gap-3 pt-4">
      <p className="text-sm text-muted">
        <bdi translate="no">{response.domain}</bdi> · {text.checked}{' '}
        <TimeWithTooltip value={response.checked_at} relative="past" />
      </p>
      <ul className="grid gap-3">
        {response.records.map((record) => (
          <Record key={record.kind} record={record} />
        ))}
      </ul>
    </div>
  );
}

function Record({ record }: { record: DomainRecord }): React.JSX.Element {
  const { kind, state, name, found, publish, note } = record;
  return (
    <li className="grid gap-2 rounded-lg border border-border p-4 text-sm">
      <div className="flex items-start justify-between gap-3">
        <div>
          <p className="font-semibold">{kind}</p>
          <p className="text-muted">{text.purposes[kind]}</p>
        </div>
        <Badge variant={variants[state]}>{text.states[state]}</Badge>
      </div>
      {note !== '' && <p>{note}</p>}
      {name !== '' && state !== 'pass' && <Value label={text.at} value={name} />}
      {found !== null && <Value label={text.found} value={found} />}
      {publish !== null && (
        <div className="grid gap-2">
          <Value label={text.publish} value={publish} />
          <CopyButton kind={kind} value={publish} />
        </div>
      )}
    </li>
  );
}

function Value({ label, value }: { label: string; value: string }): React.JSX.Element {
  return (
    <div className="grid gap-0.5">
      <p className="text-xs font-medium text-muted">{label}</p>
      <code translate="no" className="text-xs whitespace-pre-line wrap-anywhere">
        {value}
      </code>
    </div>
  );
}

function CopyButton({ kind, value }: { kind: string; value: string }): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  return (
    <div>
      <Button
        variant="outline"
        size="sm"
        aria-label={copied ? text.copied : text.copyValue(kind)}
        onClick={() =>
          void copy(value).then((done) => {
            if (!done) toast({ action: 'copy-record', title: text.copyFailed, variant: 'destructive' });
          })
        }
      >
        {copied ? text.copied : text.copy}
      </Button>
    </div>
  );
}
