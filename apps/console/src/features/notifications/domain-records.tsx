/** The DNS records of the sender domain, with the values to publish. */
import type {
  DomainRecord,
  DomainRecordStatus,
  SenderDomainResponse,
} from '@lanternrock/contract/notification-settings';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { useCopyWithToast } from '../../ui/use-copy-with-toast.ts';
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
          <DomainRecordItem key={record.kind} record={record} />
        ))}
      </ul>
    </div>
  );
}

function DomainRecordItem({ record }: { record: DomainRecord }): React.JSX.Element {
  const { kind, state: status, name, found, publish, note } = record;
  return (
    <li className="grid gap-2 rounded-lg border border-border p-4 text-sm">
      <div className="flex items-start justify-between gap-3">
        <div>
          <p className="font-semibold">{kind}</p>
          <p className="text-muted">{text.purposes[kind]}</p>
        </div>
        <Badge variant={variants[status]}>{text.states[status]}</Badge>
      </div>
      {note !== '' && <p>{note}</p>}
      {name !== '' && status !== 'pass' && <LabeledValue label={text.at} value={name} />}
      {found !== null && <LabeledValue label={text.found} value={found} />}
      {publish !== null && (
        <div className="grid gap-2">
          <LabeledValue label={text.publish} value={publish} />
          <CopyButton kind={kind} value={publish} />
        </div>
      )}
    </li>
  );
}

function LabeledValue({ label, value }: { label: string; value: string }): React.JSX.Element {
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
  const { copied, copy } = useCopyWithToast({ action: 'copy-record' });
  return (
    <div>
      <Button variant="outline" size="sm" aria-label={text.copyValue(kind)} onClick={() => copy(value)}>
        <span aria-live="polite">{copied ? text.copied : text.copy}</span>
      </Button>
    </div>
  );
}
