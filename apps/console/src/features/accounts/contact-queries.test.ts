import type { AccountContactsResponse } from '@lanternrock/contract/account-contacts';
import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { contactsQuery } from './contact-queries.ts';

const { read } = vi.hoisted(() => ({ read: vi.fn<() => AccountContactsResponse>() }));
vi.mock('../../api/functions.ts', () => ({ callFunction: async () => read() }));
// It reads the configuration of the document.
vi.mock('./accounts-cache.ts', () => ({ updateCachedAccount: () => undefined }));

it('counts changes over all reads of the contacts, so that no earlier activity is shown again', async () => {
  const client = new QueryClient();
  const query = contactsQuery('a');
  const readAgain = async (version: string): Promise<number> => {
    read.mockReturnValueOnce({ contacts: [], version, contact_text: null });
    return (await client.query({ ...query, staleTime: 0 })).changes;
  };
  expect(await readAgain('v1')).toBe(0);
  // A change in this browser, then a read of the same list.
  client.setQueryData(query.queryKey, (list) => list && { ...list, version: 'v2', changes: 1 });
  expect(await readAgain('v2')).toBe(1);
  // A change by another administrator, which is then undone.
  expect(await readAgain('v3')).toBe(2);
  expect(await readAgain('v2')).toBe(3);
});
