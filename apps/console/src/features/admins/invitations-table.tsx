/** The list of invitations. Its checkboxes have no action yet. */
import type { InvitationRow as Invitation } from '@lanternrock/contract/rows';
import type { UseQueryResult } from '@tanstack/react-query';
import MailPlus from 'lucide-react/icons/mail-plus';
import { type ReactNode, useState } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonRows, Table, TableContainer, TableMessage, Th } from '../../ui/table.tsx';
import { type AdminsFilter, matchesInvitation } from './administrators-filter.ts';
import { adminsText as text } from './admins-text.ts';
import { adminsViewText } from './admins-view-text.ts';
import { InvitationTableRow } from './invitation-row.tsx';

const columnCount = 7;

/**
 * Hides columns in a narrow container: email and status are shown below the name, and the dates in the panel.
 * The columns are selected by position, so that header, rows and skeleton match.
 */
const responsiveColumns = cx(
  '@max-[58rem]:[&_:is(th,td):nth-child(3)]:hidden',
  '@max-[58rem]:[&_:is(th,td):nth-child(4)]:hidden',
  '@max-[38rem]:[&_:is(th,td):nth-child(5)]:hidden',
  '@max-[38rem]:[&_:is(th,td):nth-child(6)]:hidden',
);

interface InvitationsTableProps {
  query: UseQueryResult<readonly Invitation[]>;
  filter: AdminsFilter;
  /** The status of resends, by invitation ID. */
  notes: ReadonlyMap<string, string>;
  openId: string | undefined;
  onOpen: (id: string) => void;
}

export function InvitationsTable(props: InvitationsTableProps): React.JSX.Element {
  const { query, filter } = props;
  const rows = (query.data ?? []).filter((row) => matchesInvitation(row, filter));
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  // Ignore rows that are no longer in the list.
  const selected = new Set(rows.filter((row) => selectedIds.has(row.id)).map((row) => row.id));
  const select = (id: string, on: boolean): void => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    setSelectedIds(next);
  };
  return (
    // The page scrolls. The header row sticks below the page header.
    <TableContainer label={text.title} scrolls="page">
      <Table
        aria-label={text.title}
        aria-busy={query.isPending}
        // A message spans the hidden columns as well. Only the automatic layout gives them no width.
        className={cx(responsiveColumns, (rows.length > 0 || query.isPending) && 'table-fixed')}
      >
        <TableHeader
          all={rows.length > 0 && selected.size === rows.length}
          some={selected.size > 0}
          disabled={rows.length === 0}
          onChange={(on) => setSelectedIds(new Set(on ? rows.map((row) => row.id) : []))}
        />
        <tbody>
          <Rows {...props} rows={rows} selected={selected} onSelect={select} />
        </tbody>
      </Table>
    </TableContainer>
  );
}

interface TableHeaderProps {
  all: boolean;
  some: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}

function TableHeader({ all, some, disabled, onChange }: TableHeaderProps): React.JSX.Element {
  const { columns } = text;
  return (
    <thead>
      <tr>
        <Th className="w-12 pr-0 print:hidden" aria-label={columns.select}>
          <Checkbox
            aria-label={text.selectAll}
            checked={all}
            indeterminate={some && !all}
            disabled={disabled}
            onChange={() => onChange(!all)}
          />
        </Th>
        <Th>{columns.name}</Th>
        <Th className="w-60">{columns.email}</Th>
        <Th className="w-32">{columns.invitedAt}</Th>
        <Th className="w-28">{columns.status}</Th>
        <Th className="w-32">{columns.expiresAt}</Th>
        <Th className="w-37 text-right print:hidden @max-[38rem]:w-33 @max-[38rem]:pl-0">
          {columns.actions}
        </Th>
      </tr>
    </thead>
  );
}

interface RowsProps extends InvitationsTableProps {
  /** The rows that match the filter. */
  rows: readonly Invitation[];
  selected: ReadonlySet<string>;
  onSelect: (id: string, on: boolean) => void;
}

function Rows({ query, rows, notes, openId, onOpen, selected, onSelect }: RowsProps): ReactNode {
  if (query.data === undefined && query.isError) {
    return (
      <TableMessage columns={columnCount}>
        <ErrorState
          title={text.loadFailed}
          description={query.error.message}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </TableMessage>
    );
  }
  if (query.data === undefined) {
    return (
      <SkeletonRows rows={10} columns={['w-4', 'w-36', 'w-44', 'w-20', 'w-16', 'w-20', 'w-20 ml-auto']} />
    );
  }
  if (query.data.length === 0) {
    return (
      <TableMessage columns={columnCount}>
        <EmptyState icon={<MailPlus />} title={text.empty} description={text.emptyDescription} />
      </TableMessage>
    );
  }
  if (rows.length === 0) {
    const { noMatch, noMatchDescription } = adminsViewText;
    return (
      <TableMessage columns={columnCount}>
        <EmptyState icon={<MailPlus />} title={noMatch} description={noMatchDescription} />
      </TableMessage>
    );
  }
  return rows.map((row) => (
    <InvitationTableRow
      key={row.id}
      invitation={row}
      note={notes.get(row.id)}
      selected={selected.has(row.id)}
      onSelectedChange={(on) => onSelect(row.id, on)}
      open={row.id === openId}
      onOpen={() => onOpen(row.id)}
    />
  ));
}
