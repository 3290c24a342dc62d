/** Query option that disables a query. */

/**
 * Disables a query unless the condition is true. Then the default of the query client applies, which waits for
 * the session; `enabled: true` would override it.
 */
export const enabledIf = (condition: boolean): { enabled?: false } => (condition ? {} : { enabled: false });
