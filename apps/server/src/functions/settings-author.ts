import { sql } from '@lanternrock/postgres';
import { defineFunction } from './define-function.ts';

/**
 * Returns the name of the user who last saved the settings. A function, because row level security lets users read their
 * own profile only.
 */
export const settingsAuthor = defineFunction({
  name: 'notification-settings-author',
  input: null,
  work: async ({ transaction }) => {
    const [row] = await transaction((tx) =>
      tx.query<{ name: string | null; saved_at: Date }>(
        sql`select private.display_name(p.full_name, u.email) as name, s.updated_at as saved_at
            from public.notification_settings s
            left join auth.users u on u.id = s.updated_by left join public.profiles p on p.id = s.updated_by
            order by s.created_at, s.id limit 1`,
      ),
    );
    return { name: row?.name ?? null, saved_at: row?.saved_at.toISOString() ?? null };
  },
});
