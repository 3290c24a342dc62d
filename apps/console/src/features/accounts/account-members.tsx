/** The members of an account, in its panel: list, add, invite, suspend, remove. Loaded on demand. */
import type { AccountMember } from '@lanternrock/contract/account-members';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RecordLink } from '../../ui/record-link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { accountsSearchParams } from './accounts-search-params.ts';
import { AddMemberForm } from './add-member-form.tsx';
import { MemberInvitations } from './member-invitations.tsx';
import { type MemberChange, membersQuery, useMemberChange } from './member-queries.ts';
import { memberName, membersText as text } from './members-text.ts';

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
  const members = data.pages.flatMap((page) => page.members);
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
  const isActive = member.status === 'active';
  const toggle = isActive ? text.suspend : text.reactivate;
  return (
    <li className="grid gap-1.5 border-t border-border py-3 first:border-t-0 first:pt-0">
      <div className="flex items-start justify-between gap-2">
        <bdi translate="no" className="text-sm font-medium wrap-anywhere">
          {name}
        </bdi>
        <StatusBadge status={member.status} />
      </div>
      <p className="text-xs text-muted wrap-anywhere">
        {member.email !== null && name !== member.email && (
          <>
            <bdi translate="no">{member.email}</bdi>,{' '}
          </>
        )}
        {text.since} <Time value={member.created_at} />
      </p>
      <OtherAccounts member={member} />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-label={text.actionOn(toggle, name)}
          pending={pending && running !== 'remove'}
          disabled={pending}
          onClick={(event) => void change(isActive ? 'suspend' : 'reactivate', event.currentTarget)}
        >
          {toggle}
        </Button>
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
      </div>
    </li>
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
