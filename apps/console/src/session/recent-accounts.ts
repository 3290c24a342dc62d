/** Stores the accounts that a user opened last. They are deleted on sign-out. */
import { recentPrefix } from './recent-searches.ts';

const maxAccounts = 6;

const keyFor = (userId: string): string => `${recentPrefix}accounts:${userId}`;

export interface RecentAccount {
  readonly id: string;
  readonly name: string;
}

/** Returns the list with this account first. */
export const addRecentAccount = (
  recent: readonly RecentAccount[],
  { id, name }: RecentAccount,
): readonly RecentAccount[] =>
  [{ id, name }, ...recent.filter((each) => each.id !== id)].slice(0, maxAccounts);

const isRecentAccount = (value: unknown): value is RecentAccount =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'id') === 'string' &&
  typeof Reflect.get(value, 'name') === 'string';

/** Parses the stored text. Invalid text and invalid items are ignored. */
export const parseRecentAccounts = (stored: string | null): readonly RecentAccount[] => {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isRecentAccount).slice(0, maxAccounts) : [];
  } catch {
    return [];
  }
};

export const readRecentAccounts = (userId: string): readonly RecentAccount[] => {
  try {
    return parseRecentAccounts(localStorage.getItem(keyFor(userId)));
  } catch {
    return [];
  }
};

export const saveRecentAccount = (userId: string, account: RecentAccount): void => {
  try {
    const recent = addRecentAccount(readRecentAccounts(userId), account);
    localStorage.setItem(keyFor(userId), JSON.stringify(recent));
  } catch {
    // Local storage is blocked, so the account is not saved.
  }
};
