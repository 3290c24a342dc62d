/** The Admins screen: the list of invited administrators. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import { type RefObject, useRef, useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { LocalMailboxNotice } from '../../shared/local-mailbox-notice.tsx';
import { PrintHead } from '../../shared/print-head.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFiltersButton } from '../../ui/clear-filters-button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { type AdminsFilter, isFiltered, matchesInvitation } from './administrators-filter.ts';
import { invitationsQuery } from './admins-queries.ts';
import { adminsSearchParams, type InvitationOrderParam, toInvitationOrder } from './admins-search-params.ts';
import { adminsText as text, adminsViewText } from './admins-text.ts';
import { AdminsView } from './admins-view.tsx';
import { isOpen } from './invitation-status.tsx';
import { InvitationsTable } from './invitations-table.tsx';
import { UninvitedList } from './uninvited-list.tsx';
import { unsentNotes, UnsentNotice, useUnsentInvitations } from './unsent-invitations.tsx';
import { useInvitationRun } from './use-invitation-run.ts';

// The dialog and panel load on demand, to keep the code of the screen small.
const InviteDialog = lazyOverlay(async () => (await import('./invite-dialog.tsx')).InviteDialog);
const InvitationPanel = lazyOverlay(async () => (await import('./invitation-panel.tsx')).InvitationPanel);
const AdministratorPanel = lazyOverlay(
  async () => (await import('./administrator-panel.tsx')).AdministratorPanel,
);
const SecondFactorRequirementDialog = lazyOverlay(
  async () => (await import('./second-factor-requirement-dialog.tsx')).SecondFactorRequirementDialog,
);

export function AdminsScreen(): React.JSX.Element {
  const { search, change } = useUrlState('/admin/platform-admins', adminsSearchParams);
  const query = useQuery(invitationsQuery);
  const unsent = useUnsentInvitations();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  // The next action is about other invitations. Those that failed stay selected.
  const run = useInvitationRun((done) =>
    setSelectedIds((ids) => new Set([...ids].filter((id) => id !== done))),
  );
  const inviteButton = useRef<HTMLButtonElement>(null);
  const filter: AdminsFilter = { search: search.q, status: search.show };
  const selected = (query.data ?? []).filter(
    (row) => selectedIds.has(row.id) && matchesInvitation(row, filter) && isOpen(row.status),
  );
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader
        title={text.title}
        action={
          <div className="flex flex-wrap gap-2">
            <AdminsView
              filter={filter}
              onChange={change}
              selected={selected}
              run={run}
              onSecondFactor={() => change({ requirement: true })}
            />
            <InviteButton ref={inviteButton} onPress={() => change({ invite: true })} />
          </div>
        }
      />
      <ListPrintHead filter={filter} sort={search.sort} />
      <LocalMailboxNotice advice={text.shareLinks} />
      <UnsentNotice unsent={unsent} run={run} />
      <LeaveGuard active={run.progress !== null} {...text.run.leave} />
      {isFiltered(filter) && (
        <FilterNotice
          rows={query.data}
          filter={filter}
          onClear={() => change({ q: undefined, show: undefined })}
        />
      )}
      {search.show === 'uninvited' ? (
        <UninvitedList
          filter={filter}
          onOpen={(administrator) => change({ administrator, invitation: undefined })}
        />
      ) : (
        <InvitationsTable
          query={query}
          filter={filter}
          order={search.sort && toInvitationOrder(search.sort)}
          onSort={(next) =>
            change({ sort: adminsSearchParams.sort(next && `${next.sort}.${next.direction}`) })
          }
          resendNotes={new Map([...unsentNotes(unsent), ...run.notes])}
          selectedIds={selectedIds}
          onSelect={setSelectedIds}
          openId={search.invitation}
          onOpen={(invitation) => change({ invitation, administrator: undefined })}
        />
      )}
      <InvitationPanel
        open={search.invitation !== undefined}
        id={search.invitation}
        rows={query.data}
        onClose={() => change({ invitation: undefined })}
      />
      {hasFeature('extensions') && (
        <>
          <AdministratorPanel
            open={search.administrator !== undefined && search.invitation === undefined}
            id={search.administrator}
            onClose={() => change({ administrator: undefined })}
          />
          <SecondFactorRequirementDialog
            open={search.requirement === true}
            returnFocus={inviteButton}
            onClose={() => change({ requirement: undefined }, { confirmed: true })}
          />
        </>
      )}
      <InviteDialog
        open={search.invite === true}
        returnFocus={inviteButton}
        onClose={(confirmed) => change({ invite: undefined }, { confirmed })}
      />
    </div>
  );
}

interface InviteButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  onPress: () => void;
}

function InviteButton({ ref, onPress }: InviteButtonProps): React.JSX.Element {
  return (
    <Button ref={ref} onClick={onPress} onPointerEnter={InviteDialog.preload} onFocus={InviteDialog.preload}>
      <UserPlus aria-hidden />
      {text.invite}
    </Button>
  );
}

interface ListPrintHeadProps {
  filter: AdminsFilter;
  sort: InvitationOrderParam | undefined;
}

/** The filters and order of the printed list. */
function ListPrintHead({ filter, sort }: ListPrintHeadProps): React.JSX.Element {
  return (
    <PrintHead
      facts={[
        [adminsViewText.searchText, filter.search],
        [adminsViewText.status, filter.status && adminsViewText.statuses[filter.status]],
        [adminsViewText.order, orderText(sort)],
      ]}
    />
  );
}

const orderText = (sort: InvitationOrderParam | undefined): string => {
  if (sort === undefined) return adminsViewText.newestFirst;
  const order = toInvitationOrder(sort);
  const column = order.sort === 'invited' ? 'invitedAt' : order.sort === 'expires' ? 'expiresAt' : order.sort;
  return `${text.columns[column]}, ${adminsViewText.directions[order.direction]}`;
};

interface FilterNoticeProps {
  /** Undefined until they are loaded. */
  rows: readonly InvitationRow[] | undefined;
  filter: AdminsFilter;
  onClear: () => void;
}

/** Says that rows are hidden, and shows them again. */
function FilterNotice({ rows, filter, onClear }: FilterNoticeProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <p role="status" className="text-muted">
        {rows !== undefined &&
          filter.status !== 'uninvited' &&
          adminsViewText.shown(rows.filter((row) => matchesInvitation(row, filter)).length, rows.length)}
      </p>
      <ClearFiltersButton onClear={onClear} />
    </div>
  );
}
