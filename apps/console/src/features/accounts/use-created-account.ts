/** Finds a created account in the reloaded list, and highlights it for a short time. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useEffect, useState } from 'react';

const highlightMs = 4000;

interface CreatedAccount {
  /** ID of the account to highlight. */
  readonly id: string | undefined;
  /** Call with the name of a created account before the list is reloaded. */
  readonly expect: (name: string) => void;
}

/**
 * @param rows the newest accounts, in which the ID is found: the response to the insert does not contain the
 * row
 */
export const useCreatedAccount = (rows: readonly AccountRow[]): CreatedAccount => {
  const [expected, setExpected] = useState<{ name: string; known: ReadonlySet<string> }>();
  const created =
    expected === undefined
      ? undefined
      : rows.find((row) => row.name === expected.name && !expected.known.has(row.id));
  const id = created?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    const row = document.querySelector(`[data-account="${CSS.escape(id)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    const timer = setTimeout(() => setExpected(undefined), highlightMs);
    return () => clearTimeout(timer);
  }, [id]);
  return {
    id,
    expect: (name) => setExpected({ name, known: new Set(rows.map((row) => row.id)) }),
  };
};
