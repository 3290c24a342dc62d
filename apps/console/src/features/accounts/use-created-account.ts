/** Finds a created account in the reloaded list, and marks it for a moment. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useEffect, useState } from 'react';

const markedFor = 4000;

interface FreshAccount {
  /** Id of the account to mark. */
  readonly id: string | undefined;
  /** Told the name of an account that was just created, before the list is read again. */
  readonly expect: (name: string) => void;
}

/** @param rows the newest accounts. The service answers a creation without the row, so its id is found here. */
export const useCreatedAccount = (rows: readonly AccountRow[]): FreshAccount => {
  const [expected, setExpected] = useState<{ name: string; known: ReadonlySet<string> }>();
  const arrived =
    expected === undefined
      ? undefined
      : rows.find((row) => row.name === expected.name && !expected.known.has(row.id));
  const id = arrived?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    const row = document.querySelector(`[data-account="${CSS.escape(id)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    const timer = setTimeout(() => setExpected(undefined), markedFor);
    return () => clearTimeout(timer);
  }, [id]);
  return {
    id,
    expect: (name) => setExpected({ name, known: new Set(rows.map((row) => row.id)) }),
  };
};
