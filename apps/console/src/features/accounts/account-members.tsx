/** The members of an account, in its panel: list, add, invite, suspend, end date, remove. Loaded on demand. */
import type { AccountMember } from '@lanternrock/contract/account-members';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { useUser } from '../../session/use-session.tsx';
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { RecordLink } from '../../ui/record-link.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { accountsSearchParams } from './accounts-search-params.ts';
import { AddMemberForm } from './add-member-form.tsx';
import { MemberInvitations } from './member-invitations.tsx';
import { type MemberChange, membersQuery, useMemberChange } from './member-queries.ts';
import { EndTime, hasEnded } from './membership-end.tsx';
import { memberName, membersText as text } from './members-text.ts';

const MembershipEndDialog = lazyOverlay(
  async () => (await import('./membership-end-dialog.tsx')).MembershipEndDialog,
);

interface AccountMembersProps {
  open: boolean;
  account: AccountRow;
}

export function AccountMembers({ account }: AccountMembersProps): React.JSX.Element {
  const query = useInfiniteQuery(membersQuery(account.id));
  const { data, isFetching, refetch } = query;
  const list = useRef<HTMLDivElement>(null);
  const count = data?.pages[0]?.active_members;
  const listedCount = useRef(account.active_members);
  useEffect(() => {
    if (listedCount.current === account.active_members) return;
    listedCount.current = account.active_members;
    // The list of accounts has read a newer count.
    if (count !== undefined && count !== account.active_members) void refetch();
  }, [account.active_members, count, refetch]);
  const members = data?.pages.flatMap((page) => page.members) ?? [];
  useRefetchAtEnd(members, refetch);
  if (data === undefined)
    return query.isError ? (
      <ErrorState
        title={text.loadFailed}
        description={errorMessage(query.error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    ) : (
      <Skeleton className="h-24 w-full" />
    );
  return (
    <div ref={list} tabIndex={-1} role="group" aria-label={text.title} className="grid gap-3 rounded-md">
      {members.length === 0 && <p className="text-sm text-muted">{text.empty}</p>}
      {members.length > 0 && (
        <ul aria-label={text.list} aria-busy={isFetching} className="grid">
          {members.map((member) => (
            <MemberItem
              key={member.id}
              accountId={account.id}
              member={member}
              // The pressed button is gone with its row.
              onRemoved={() => list.current?.focus()}
            />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-center"
          onClick={() => void query.fetchNextPage()}
          pending={query.isFetchingNextPage}
          pendingLabel={text.loading}
        >
          {text.more}
        </Button>
      )}
      <MemberInvitations accountId={account.id} />
      <AddMemberForm account={account} />
    </div>
  );
}

/** Reads the members and their count again when an end date passes. */
const useRefetchAtEnd = (members: readonly AccountMember[], refetch: () => unknown): void => {
  const now = useNow();
  const passed = members.filter((member) => member.status === 'active' && hasEnded(member, now)).length;
  useEffect(() => {
    if (passed > 0) void refetch();
  }, [passed, refetch]);
};

interface MemberItemProps {
  accountId: string;
  member: AccountMember;
  onRemoved: () => void;
}

function MemberItem({ accountId, member, onRemoved }: MemberItemProps): React.JSX.Element {
  const { pending, submit } = useMemberChange(accountId);
  const [running, setRunning] = useState<MemberChange>();
  const name = memberName(member);
  const pressed = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A pending button is disabled and loses the focus.
    if (!pending && document.activeElement === document.body) pressed.current?.focus();
  }, [pending]);
  const change = async (next: MemberChange, button: HTMLButtonElement): Promise<void> => {
    pressed.current = button;
    setRunning(next);
    const done = await submit({ change: next, member });
    if (done && next === 'remove') onRemoved();
  };
  const ended = hasEnded(member, useNow());
  const isActive = member.status === 'active' && !ended;
  const toggle = isActive ? text.suspend : text.reactivate;
  const isSelf = useUser()?.id === member.user_id;
  const [dialog, setDialog] = useState<'end' | 'reactivate'>();
  const shownDialog = useLastDefined(dialog);
  const openDialog = (kind: typeof dialog, button: HTMLButtonElement): void => {
    pressed.current = button;
    setDialog(kind);
  };
  return (
    <li className="grid gap-1.5 border-t border-border py-3 first:border-t-0 first:pt-0">
      <MemberState member={member} ended={ended} />
      <OtherAccounts member={member} />
      <div className="flex flex-wrap gap-2 empty:hidden">
        {/* Administrators do not change the end date of their own membership. */}
        {!(ended && isSelf) && (
          <Button
            variant="outline"
            size="sm"
            aria-label={text.actionOn(toggle, name)}
            pending={pending && running !== 'remove'}
            disabled={pending}
            onClick={({ currentTarget: button }) => {
              if (ended) openDialog('reactivate', button);
              else void change(isActive ? 'suspend' : 'reactivate', button);
            }}
          >
            {toggle}
          </Button>
        )}
        {!ended && !isSelf && (
          <Button
            variant="outline"
            size="sm"
            aria-label={text.changeEndOf(name)}
            disabled={pending}
            onClick={({ currentTarget: button }) => openDialog('end', button)}
          >
            {endDateText.change}
          </Button>
        )}
        {/* Only another administrator removes a membership with its end date. */}
        {!(isSelf && member.ends_at !== null) && (
          <Button
            variant="outlineDestructive"
            size="sm"
            aria-label={text.actionOn(text.remove, name)}
            pending={pending && running === 'remove'}
            disabled={pending}
            onClick={(event) => void change('remove', event.currentTarget)}
          >
            {text.remove}
          </Button>
        )}
      </div>
      <MembershipEndDialog
        open={dialog !== undefined}
        accountId={accountId}
        member={member}
        reactivates={shownDialog === 'reactivate'}
        finalFocus={pressed}
        onClose={() => setDialog(undefined)}
      />
    </li>
  );
}

function MemberState({ member, ended }: { member: AccountMember; ended: boolean }): React.JSX.Element {
  const { email, status, ends_at: endsAt } = member;
  const name = memberName(member);
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <bdi translate="no" className="text-sm font-medium wrap-anywhere">
          {name}
        </bdi>
        <StatusBadge status={ended && status === 'active' ? 'ended' : status} />
      </div>
      <p className="text-xs text-muted wrap-anywhere">
        {email !== null && name !== email && (
          <>
            <bdi translate="no">{email}</bdi>,{' '}
          </>
        )}
        {text.since} <Time value={member.created_at} />
      </p>
      {endsAt !== null && (
        <p className="text-xs text-muted">
          {ended ? text.ended : text.ends} <EndTime value={endsAt} />
        </p>
      )}
    </>
  );
}

function OtherAccounts({ member }: { member: AccountMember }): React.JSX.Element | null {
  const { change } = useUrlState('/admin/accounts', accountsSearchParams);
  const { other_accounts: others, other_accounts_total: total } = member;
  if (others.length === 0) return null;
  return (
    <p className="text-xs text-muted wrap-anywhere">
      {text.otherAccounts}{' '}
      {others.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <RecordLink
            href={`/admin/accounts?account=${encodeURIComponent(id)}`}
            className="rounded-sm text-primary underline underline-offset-2"
            onOpen={() => change({ account: id })}
          >
            <bdi translate="no">{name}</bdi>
          </RecordLink>
        </span>
      ))}
      {total > others.length && ` ${text.furtherAccounts(total - others.length)}`}
    </p>
  );
}
