/**
 * Limits of the functions, per session; of all sessions of a user together, three times the number. Each is above what a
 * user can do in the console, also with lists and imports.
 */

const window = (name: string, limit: number, seconds = 300) => ({ name: `function-${name}`, limit, seconds });

export const functionLimits = {
  /** Invitations of a list are sent in calls of up to 20; MAILS_PER_HOUR limits their emails. */
  invitations: window('invitations', 600),
  /**
   * What needs a fresh session, and nothing else, so that a stale one cannot use it up: roles, factors and sessions of
   * administrators, invitation links, and the second-factor requirement.
   */
  administrators: window('administrators', 60),
  /** Changes of accounts and of their members, one at a time. */
  accounts: window('accounts', 600),
  /** Batches of up to 500 rows; a file of 100,000 rows needs 200, and 200 for the preview. */
  imports: window('imports', 900),
  /** Exports are recorded. */
  exports: window('exports', 60),
  testEmails: window('test-emails', 10),
  /** Lookups in the DNS. */
  lookups: window('lookups', 60),
  handover: window('handover', 60),
} as const;
