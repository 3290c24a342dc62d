/** A section of the handover page: its items with who and when, and links to the records. */
import type { ActivityEntry, ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import type { HandoverInvitation, HandoverSection } from '@lanternrock/contract/handover';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSummary, toAction } from '../../shared/activity-action.ts';
import { Others } from '../../shared/activity-entry.tsx';
import { describeActivity } from '../../shared/describe-activity.ts';
import { UndoMarks } from '../../shared/activity-undo-marks.tsx';
import { actorName } from '../../shared/activity-text.ts';
import { Time } from '../../ui/time.tsx';
import { changedFields, furtherChanges } from './handover-plain-text.ts';
import { handoverText as text, invitationTexts } from './handover-text.ts';

interface SectionProps<Item> {
  title: string;
  section: HandoverSection<Item>;
  render: (item: Item) => ReactNode;
  keyOf: (item: Item) => string;
}

export function Section<Item>({ title, section, render, keyOf }: SectionProps<Item>): React.JSX.Element {
  const { items, more } = section;
  return (
    <section className="grid content-start gap-1.5">
      <h2 className="text-base font-semibold">
        {title}{' '}
        {items.length > 0 && (
          <span className="font-normal text-muted">({text.count(items.length, more)})</span>
        )}
      </h2>
      {items.length === 0 && <p className="text-sm text-muted">{text.none}</p>}
      {items.length > 0 && (
        <ul className="grid text-sm">
          {items.map((item) => (
            <li key={keyOf(item)} className="grid gap-0.5 border-b border-border py-2 [break-inside:avoid]">
              {render(item)}
            </li>
          ))}
        </ul>
      )}
      {more && <p className="text-sm text-muted">{text.more}</p>}
    </section>
  );
}

const linkStyle = 'font-medium wrap-anywhere text-primary underline-offset-4 hover:underline';

const EntryTime = ({ value }: { value: string }): React.JSX.Element => (
  <Time value={value} exact className="text-xs text-muted tabular-nums" />
);

export function Change({ item }: { item: ActivityGroup }): React.JSX.Element {
  const action = toAction(item);
  const { primary } = action;
  const { verb, object, relation, record } = describeActivity(primary);
  const fields = changedFields(action);
  return (
    <>
      <p className="wrap-anywhere">
        <bdi translate="no" className="font-medium">
          {actorName(primary)}
        </bdi>{' '}
        {record === null ? (
          <SettingsLink item={primary}>
            {verb} <bdi>{object}</bdi>
          </SettingsLink>
        ) : (
          <>
            {verb} {object !== '' && <bdi translate="no">{object} </bdi>}
            {relation} <RecordLink item={primary} name={record} />
          </>
        )}{' '}
        {furtherChanges(action)}
      </p>
      {fields !== '' && (
        <p className="text-[0.8125rem] wrap-anywhere">
          <bdi translate="no">{fields}</bdi>
        </p>
      )}
      <EntryTime value={primary.at} />
      <UndoMarks entry={primary} />
      {isSummary(primary) && (
        <div className="print:hidden">
          <Others group={item} action={action} filter={importFilter} />
        </div>
      )}
    </>
  );
}

/** The rows of an import of accounts, and of contacts. */
const importFilter: ActivityFilter = { kind: 'accounts' };

/** A deleted account has no panel. */
function RecordLink({ item, name }: { item: ActivityEntry; name: string }): React.JSX.Element {
  const { table_name: table, action, record_id: id } = item;
  const isContact = table === 'public.account_contacts';
  const hasPanel =
    isContact ||
    (action !== 'DELETE' && (table.endsWith('.accounts') || table === 'private.account_suspensions'));
  if (!hasPanel || id === null)
    return (
      <bdi translate="no" className="font-medium">
        {name}
      </bdi>
    );
  return (
    <Link
      to="/admin/accounts"
      search={{ account: id, ...(isContact ? { tab: 'contacts' } : {}) }}
      className={linkStyle}
    >
      <bdi translate="no">{name}</bdi>
    </Link>
  );
}

function SettingsLink({ item, children }: { item: ActivityEntry; children: ReactNode }): ReactNode {
  if (item.table_name !== 'public.notification_settings') return children;
  return (
    <Link to="/admin/notifications" className={linkStyle}>
      {children}
    </Link>
  );
}

export function InvitationEvent({ item }: { item: HandoverInvitation }): React.JSX.Element {
  const { before, after } = invitationTexts[item.event](item.actor, item.at);
  return (
    <>
      <p className="wrap-anywhere">
        {before}{' '}
        <Link to="/admin/platform-admins" search={{ invitation: item.id }} className={linkStyle}>
          <bdi translate="no">{item.full_name}</bdi>
        </Link>{' '}
        <bdi translate="no" className="text-muted">
          {item.email}
        </bdi>{' '}
        <bdi translate="no">{after}</bdi>
      </p>
      {item.event !== 'expires' && <EntryTime value={item.at} />}
    </>
  );
}
