/** Cells of the functions that compare account names. */
import type { Cell } from './permission-probe.ts';

const clients = ['anon', 'member', 'platform admin', 'service'] as const;

/** Indexes evaluate the first three with the rights of the client. Only the service calls the others. */
export const similarAccountCells: readonly Cell[] = Object.entries({
  comparable_name: 'done 1',
  distinctive_name: 'done 1',
  distinctive_words: 'done 1',
  similar_accounts: 'grant',
  similar_accounts_by_prefix: 'grant',
}).flatMap(([name, expected]) =>
  clients.map((as): Cell => ({
    name: `${name} as ${as}`,
    as,
    statement: `select from private.${name}('x')`,
    expected: as === 'anon' ? 'grant' : expected,
  })),
);
