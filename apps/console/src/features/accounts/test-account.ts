/** Creates account rows for tests. */
import type { AccountRow } from '@lanternrock/contract/rows';

export const testAccount = (fields: Partial<AccountRow> = {}): AccountRow => ({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Vail Ski Patrol',
  slug: 'vail-ski-patrol',
  account_type: 'enterprise',
  address: null,
  city: null,
  state: null,
  zip_code: null,
  status: 'active',
  active_members: 0,
  created_by: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  updated_by: null,
  ...fields,
});
