/** The members of an account, in its panel: list, add, suspend, remove. Loaded on demand. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AddMemberForm } from './add-member-form.tsx';
import { MemberItem } from './member-item.tsx';
import { membersQuery } from './member-queries.ts';
import { membersText as text } from './members-text.ts';

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
      <AddMemberForm accountId={account.id} />
    </div>
  );
}
