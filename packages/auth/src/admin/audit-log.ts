/** `GET /admin/audit`: lists audit log entries. */
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { paginationLinks, readPagination } from './pagination.ts';

const fields: Record<string, string> = { author: 'actor_username', action: 'action', type: 'log_type' };

export const listAuditEntries = endpoint(
  { guard: 'service', query: readPagination },
  async ({ c, context, query: page }) => {
    const query = c.req.query('query') ?? '';
    const [, name = '', text = ''] = /^(\w+):(.*)$/s.exec(query) ?? [];
    if (query !== '' && !Object.hasOwn(fields, name)) {
      throw new AuthError(400, 'validation_failed', 'query must begin with author:, action: or type:');
    }
    const field = fields[name] ?? '';
    const [counted] = await context.database.query<{ total: number }>(sql`select count(*)::int as total
    from auth.audit_log_entries where ${field} = '' or position(lower(${text}) in lower(payload ->> ${field})) > 0`);
    const rows = await context.database.query<{
      id: string;
      payload: unknown;
      created_at: Date;
      ip_address: string;
    }>(sql`
    select id, payload, created_at, ip_address from auth.audit_log_entries
    where ${field} = '' or position(lower(${text}) in lower(payload ->> ${field})) > 0
    order by created_at desc, id limit ${page.size} offset ${page.offset}`);
    const total = counted?.total ?? 0;
    c.header('X-Total-Count', String(total));
    c.header('Link', paginationLinks(c, page, total));
    return c.json(rows);
  },
);
