/**
 * Function `notification-settings-author`: returns the name of the user who last saved the settings. A function,
 * because row level security lets users read their own profile only.
 */
import type { SettingsAuthorResponse } from '@lanternrock/contract/notification-settings';
import type { Context } from 'hono';
import { type Database, sql } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Principal } from '../principal.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

export async function getSettingsAuthor(
  c: Context<AppEnv>,
  principal: Principal,
  database: Database,
): Promise<Response> {
  const [row] = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, principal, c.get('requestId'));
    return tx.query<{ name: string | null; saved_at: Date }>(
      sql`select coalesce(nullif(btrim(p.full_name), ''), u.email) as name, s.updated_at as saved_at
          from public.notification_settings s
          left join auth.users u on u.id = s.updated_by left join public.profiles p on p.id = s.updated_by
          order by s.created_at, s.id limit 1`,
    );
  });
  const response: SettingsAuthorResponse = {
    name: row?.name ?? null,
    saved_at: row?.saved_at.toISOString() ?? null,
  };
  return c.json(response);
}
