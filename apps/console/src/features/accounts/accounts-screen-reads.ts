/**
 * The requests of the accounts screen that the boot script sends while the application bundle loads. A test compares them
 * with the requests of the queries. Small, because the boot script contains it.
 */
import type { PrefetchRead } from '../../api/prefetch.ts';

/** Rows per page of the account list. */
export const accountsPageSize = 200;

/** Returns the requests of the account list, and of the profile, role and memberships of the user. */
export const accountsScreenReads = (userId: string): readonly PrefetchRead[] => [
  {
    path: `/accounts?select=*&order=created_at.desc,id.desc&limit=${accountsPageSize}`,
    headers: { Prefer: 'count=exact' },
  },
  {
    path: `/profiles?select=*&id=eq.${userId}`,
    headers: { Accept: 'application/vnd.pgrst.object+json' },
  },
  { path: `/user_roles?select=*&user_id=eq.${userId}&role=eq.platform_admin&limit=1`, headers: {} },
  { path: `/account_members?select=*,accounts(*)&user_id=eq.${userId}&status=eq.active`, headers: {} },
];
