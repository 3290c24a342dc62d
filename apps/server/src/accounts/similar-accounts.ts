import type { SimilarAccount } from '@lanternrock/contract/similar-accounts';
import { type Transaction, sql } from '@lanternrock/postgres';

/** Returns up to five accounts whose names look like the given one, the most similar first. */
export const findSimilarAccounts = (tx: Transaction, name: string): Promise<readonly SimilarAccount[]> =>
  tx.query<SimilarAccount & Record<string, unknown>>(
    sql`select a.id, a.name, a.city
          from private.similar_accounts(${name}) s join public.accounts a on a.id = s.id
          order by s.score desc, a.id`,
  );
