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
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { toast } from '../../ui/toast.ts';
import { updateCachedAccount } from './accounts-cache.ts';
import { memberName, membersText as text } from './members-text.ts';

type Position = AccountMembersResponse['next'];

interface MembersPage extends AccountMembersResponse {
  /** Number of changes in this browser, for the activity of the account. Never decreases. */
  readonly changes: number;
}
type Pages = InfiniteData<MembersPage, Position>;

const setCachedCount = (client: QueryClient, accountId: string, active_members: number): void =>
  updateCachedAccount(client, accountId, (row) =>
    row.active_members === active_members ? row : { ...row, active_members },
  );

export const membersQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: ['account-members', accountId],
    queryFn: async ({ pageParam, client, queryKey }): Promise<MembersPage> => {
      const page = await callFunction('account-members', {
        account_id: accountId,
        ...(pageParam === null ? {} : { after: pageParam }),
      });
      if (!Array.isArray(page.members)) throw shapeError();
      setCachedCount(client, accountId, page.active_members);
      return { ...page, changes: client.getQueryData<Pages>(queryKey)?.pages[0]?.changes ?? 0 };
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
  client.setQueryData<Pages>(
    membersQuery(accountId).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          active_members,
          members: replace(page.members),
          changes: page.changes + 1,
        })),
      },
  );
  setCachedCount(client, accountId, active_members);
  void client.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
};

const describeEnd = (name: string, { status, ends_at: end }: AccountMember): string => {
  if (status === 'ended') return text.endedDescription(name);
  const isSuspended = status === 'suspended';
  if (end === null) return isSuspended ? text.suspendedWithoutEnd(name) : text.activeWithoutEnd(name);
  const time = formatDateTime(end);
  return isSuspended ? text.suspendedUntil(name, time) : text.activeUntil(name, time);
};

/** @param member after the undo; null if the user is not a member */
const describeUndone = (kind: keyof typeof texts, name: string, member: AccountMember | null): string => {
  if (member === null) return text.removedDescription(name);
  if (kind === 'end' || member.status === 'ended') return describeEnd(name, member);
  return member.status === 'suspended' ? text.suspendedDescription(name) : text.reactivatedDescription(name);
};

interface UndoneChange {
  readonly client: QueryClient;
  readonly accountId: string;
  readonly member: AccountMember;
  readonly change: string;
  readonly kind: keyof typeof texts;
}

/** Never rejects: a toast shows the result. */
const undoChange = async (undone: UndoneChange): Promise<void> => {
  const { client, accountId, member, change, kind } = undone;
  const action = `member ${member.user_id}`;
  try {
    const body = { account_id: accountId, change };
    const response = await callFunction('undo-account-member', body);
    showChange(client, accountId, { userId: member.user_id, response });
    toast({
      action,
      title: text.undone,
      description: describeUndone(kind, memberName(member), response.member),
    });
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
  end: [endDateText.saved, describeEnd],
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
      description: description(memberName(member), response.member ?? member),
      button: {
        label: text.undo,
        onPress: () => void undoChange({ client, accountId, member, change, kind }),
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
