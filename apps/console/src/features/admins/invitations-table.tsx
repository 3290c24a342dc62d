/** The list of invitations. Its checkboxes select rows for the actions in the View menu. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import MailPlus from 'lucide-react/icons/mail-plus';
import { type ReactNode, useMemo } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { Column, SortHandler } from '../../ui/column.tsx';
import { EmailAddress } from '../../ui/email-address.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { RowLink } from '../../ui/record-link.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { Time } from '../../ui/time.tsx';
import { administratorsQuery } from './administrator-queries.ts';
import { administratorText } from './administrator-text.ts';
import { type AdminsFilter, matchesInvitation, sortInvitations } from './administrators-filter.ts';
import type { InvitationOrder } from './admins-search-params.ts';
import { adminsText as text, adminsViewText } from './admins-text.ts';
import { InvitationStatusBadge } from './invitation-status.tsx';
import { ResendButton } from './resend-button.tsx';

interface InvitationsTableProps {
  query: UseQueryResult<readonly InvitationRow[]>;
  filter: AdminsFilter;
  order: InvitationOrder | undefined;
  onSort: SortHandler;
  /** The status of resends, by invitation ID. */
  resendNotes: ReadonlyMap<string, string>;
  selectedIds: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  openId: string | undefined;
  onOpen: (id: string) => void;
}

export function InvitationsTable(props: InvitationsTableProps): React.JSX.Element {
  const { query, filter, order } = props;
  const matching = (query.data ?? []).filter((row) => matchesInvitation(row, filter));
  const rows = sortInvitations(matching, order);
  const columns = useColumns(rows, useNotes(props.resendNotes), props);
  return (
    <RecordTable
      label={text.title}
      record="invitation"
      columns={columns}
      list={{ total: rows.length, rowAt: (index) => rows[index] }}
      loading={query.data === undefined && !query.isError}
      busy={query.isPending}
      message={rows.length === 0 && <Message query={query} />}
      order={order}
      onSort={props.onSort}
      openId={props.openId}
      onOpen={props.onOpen}
    />
  );
}

function Message({ query }: Pick<InvitationsTableProps, 'query'>): ReactNode {
  if (query.data === undefined) {
    return (
      <ErrorState
        title={text.loadFailed}
        description={query.error?.message ?? ''}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const { noMatch, noMatchDescription } = adminsViewText;
  const [title, description] =
    query.data.length === 0 ? [text.empty, text.emptyDescription] : [noMatch, noMatchDescription];
  return <EmptyState icon={<MailPlus />} title={title} description={description} />;
}

/** Returns the notes below the status: the progress of a resend, else the end of the role. */
const useNotes = (resendNotes: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const { data } = useQuery(administratorsQuery);
  return useMemo(() => {
    const notes = new Map<string, string>();
    for (const { invitation_id: id, ends_at: end, status } of data ?? []) {
      if (id !== null && end !== null && status === 'active')
        notes.set(id, administratorText.until(formatDateTime(end)));
    }
    for (const [id, note] of resendNotes) notes.set(id, note);
    return notes;
  }, [data, resendNotes]);
};

const nameId = ({ id }: InvitationRow): string => `invitation-${id}`;

/** In a narrow container, email and status are below the name, and the dates in the panel only. */
const useColumns = (
  rows: readonly InvitationRow[],
  notes: ReadonlyMap<string, string>,
  selection: Selection,
): readonly Column<InvitationRow>[] => {
  const select = createSelectColumn(rows, selection);
  const { columns } = text;
  return [
    select,
    {
      key: 'name',
      header: columns.name,
      sort: 'name',
      skeleton: 'w-36',
      main: true,
      cell: (row, open) => (
        <RowLink
          id={nameId(row)}
          name={row.full_name}
          href={`/admin/platform-admins?invitation=${encodeURIComponent(row.id)}`}
          onOpen={open}
          className="block leading-6 @max-[38rem]:wrap-anywhere @max-[38rem]:whitespace-normal"
        />
      ),
    },
    {
      key: 'email',
      header: columns.email,
      sort: 'email',
      width: 'w-60',
      skeleton: 'w-44',
      hiddenBelow: '58rem',
      text: ({ email }) => email,
      secondLine: ({ email }) => <EmailAddress>{email}</EmailAddress>,
    },
    {
      key: 'invited-at',
      header: columns.invitedAt,
      sort: 'invited',
      width: 'w-32',
      skeleton: 'w-20',
      hiddenBelow: '58rem',
      cell: (row) => <Time value={row.invited_at} />,
    },
    {
      key: 'status',
      header: columns.status,
      sort: 'status',
      width: notes.size === 0 ? 'w-32' : 'w-52',
      skeleton: 'w-16',
      hiddenBelow: '38rem',
      cell: (row) => <Status invitation={row} note={notes.get(row.id)} />,
      secondLine: (row) => <Status invitation={row} note={notes.get(row.id)} />,
    },
    {
      key: 'expires-at',
      header: columns.expiresAt,
      sort: 'expires',
      width: 'w-32',
      skeleton: 'w-20',
      hiddenBelow: '38rem',
      cell: (row) => <Time value={row.expires_at} />,
    },
    {
      key: 'actions',
      header: columns.actions,
      width: 'w-37 @max-[38rem]:w-33',
      className: 'text-right @max-[38rem]:pl-0',
      skeleton: 'ml-auto w-20',
      print: false,
      cell: (row) => <ResendButton invitation={row} describedBy={nameId(row)} />,
    },
  ];
};

type Selection = Pick<InvitationsTableProps, 'selectedIds' | 'onSelect'>;

const createSelectColumn = (
  rows: readonly InvitationRow[],
  { selectedIds, onSelect }: Selection,
): Column<InvitationRow> => {
  // Ignore rows that are no longer in the list.
  const selected = rows.map(({ id }) => id).filter((id) => selectedIds.has(id));
  const hasAll = rows.length > 0 && selected.length === rows.length;
  return {
    key: 'select',
    header: text.columns.select,
    headerContent: (
      <Checkbox
        aria-label={text.selectAll}
        checked={hasAll}
        indeterminate={selected.length > 0 && !hasAll}
        disabled={rows.length === 0}
        onChange={() => onSelect(new Set(hasAll ? [] : rows.map(({ id }) => id)))}
      />
    ),
    width: 'w-12',
    className: 'pr-0',
    skeleton: 'w-4',
    print: false,
    cell: ({ id, full_name: name }) => (
      <Checkbox
        aria-label={text.select(name)}
        checked={selected.includes(id)}
        onChange={({ target }) =>
          onSelect(new Set(target.checked ? [...selected, id] : selected.filter((each) => each !== id)))
        }
      />
    ),
  };
};

interface StatusProps {
  invitation: InvitationRow;
  /** The outcome of its last email or action. */
  note: string | undefined;
}

function Status({ invitation, note }: StatusProps): React.JSX.Element {
  const badge = <InvitationStatusBadge status={invitation.status} />;
  if (note === undefined) return badge;
  return (
    <div className="grid justify-items-start gap-1 py-1.5">
      {badge}
      <p className="text-xs wrap-anywhere whitespace-normal text-muted">{note}</p>
    </div>
  );
}
