/** The members of an account: pages, newest first, and their changes. The list of accounts shows the same count. */
import type {
  AccountMember,
  AccountMembersResponse,
  MemberChangeResponse,
} from '@lanternrock/contract/account-members';
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query';
import { errorMessage, shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { retryButton, type Submission, useSubmit } from '../../forms/use-submit.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { toast } from '../../ui/toast.ts';
import { updateCachedAccount } from './accounts-cache.ts';
import { memberName, membersText as text } from './members-text.ts';

type Position = AccountMembersResponse['next'];

const setCachedCount = (client: QueryClient, accountId: string, active_members: number): void =>
  updateCachedAccount(client, accountId, (row) =>
    row.active_members === active_members ? row : { ...row, active_members },
  );

export const membersQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: ['account-members', accountId],
    queryFn: async ({ pageParam, client }) => {
      const page = await callFunction('account-members', {
        account_id: accountId,
        ...(pageParam === null ? {} : { after: pageParam }),
      });
      if (!Array.isArray(page.members)) throw shapeError();
      setCachedCount(client, accountId, page.active_members);
      return page;
    },
    initialPageParam: null as Position,
    getNextPageParam: ({ next }) => next,
    // Reads each loaded page.
    refetchInterval: ({ state }) => panelIntervalMs * (state.data?.pages.length ?? 1),
  });

/** Shows a changed member and the new count, then reads the members again. */
const showChange = (
  client: QueryClient,
  accountId: string,
  { userId, response }: { readonly userId: string; readonly response: MemberChangeResponse },
): void => {
  const { member, active_members } = response;
  const replace = (members: readonly AccountMember[]): readonly AccountMember[] =>
    members.flatMap((each) => (each.user_id === userId ? (member ?? []) : each));
  client.setQueryData<InfiniteData<AccountMembersResponse, Position>>(
    membersQuery(accountId).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, active_members, members: replace(page.members) })),
      },
  );
  setCachedCount(client, accountId, active_members);
  void client.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
};

/** @param member null if the user is not a member */
const describeState = (name: string, member: AccountMember | null): string => {
  if (member === null) return text.removedDescription(name);
  return member.status === 'suspended' ? text.suspendedDescription(name) : text.reactivatedDescription(name);
};

interface UndoneChange {
  readonly client: QueryClient;
  readonly accountId: string;
  readonly member: AccountMember;
  readonly change: string;
}

/** Never rejects: a toast shows the result. */
const undoChange = async (undone: UndoneChange): Promise<void> => {
  const { client, accountId, member, change } = undone;
  const action = `member ${member.user_id}`;
  try {
    const body = { account_id: accountId, change };
    const response = await callFunction('undo-account-member', body);
    showChange(client, accountId, { userId: member.user_id, response });
    toast({ action, title: text.undone, description: describeState(memberName(member), response.member) });
  } catch (error) {
    void client.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
    toast({
      action,
      title: text.changeFailed,
      description: errorMessage(error),
      variant: 'destructive',
      button: retryButton(action, error, () => void undoChange(undone)),
    });
  }
};

export type MemberChange = 'suspend' | 'reactivate' | 'remove';

interface ChangedMember {
  readonly change: MemberChange;
  readonly member: AccountMember;
}

const texts = {
  suspend: [text.suspended, text.suspendedDescription],
  reactivate: [text.reactivated, text.reactivatedDescription],
  remove: [text.removed, text.removedDescription],
  add: [text.added, text.addedDescription],
} as const;

/** Returns a function that shows a change, and its toast with Undo. */
export const useShowMemberChange = (accountId: string) => {
  const client = useQueryClient();
  return (kind: keyof typeof texts, member: AccountMember, response: MemberChangeResponse) => {
    showChange(client, accountId, { userId: member.user_id, response });
    const { change } = response;
    if (change === null) return undefined;
    const [title, description] = texts[kind];
    return {
      title,
      description: description(memberName(member)),
      button: {
        label: text.undo,
        onPress: () => void undoChange({ client, accountId, member, change }),
      },
    };
  };
};

/** Suspends, reactivates or removes a member. */
export const useMemberChange = (accountId: string): Submission<ChangedMember, MemberChangeResponse> => {
  const client = useQueryClient();
  const show = useShowMemberChange(accountId);
  return useSubmit<ChangedMember, MemberChangeResponse>({
    action: ({ member }) => `member ${member.user_id}`,
    send: ({ change, member: { user_id } }) =>
      change === 'remove'
        ? callFunction('remove-account-member', { account_id: accountId, user_id })
        : callFunction('set-account-member', {
            account_id: accountId,
            user_id,
            status: change === 'suspend' ? 'suspended' : 'active',
          }),
    repeatable: true,
    done: (response, { change, member }) => show(change, member, response),
    failed: (error) => {
      void client.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
      return { title: text.changeFailed, description: errorMessage(error) };
    },
  });
};
