import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { memberInvitationsQuery } from './member-invitation-queries.ts';

vi.mock('../../api/functions.ts', () => ({ callFunction: async () => ({ invitations: [], more: false }) }));

it('keeps the number of changes over reads, so that no earlier activity is shown again', async () => {
  const client = new QueryClient();
  const query = memberInvitationsQuery('a');
  const read = async (): Promise<number> => (await client.query({ ...query, staleTime: 0 })).changes;
  expect(await read()).toBe(0);
  client.setQueryData(query.queryKey, (list) => list && { ...list, changes: list.changes + 1 });
  expect(await read()).toBe(1);
});
