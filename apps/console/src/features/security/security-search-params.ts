/** URL state of the security screen. */
const additions = ['app', 'key', 'phone', 'passkey'] as const;

export type AddDialog = (typeof additions)[number];

export interface SecuritySearchParams {
  add?: AddDialog;
}

/** Returns the valid search params. Ignores all others. */
export const validateSecuritySearch = (params: Readonly<Record<string, unknown>>): SecuritySearchParams => {
  const add = additions.find((name) => name === params['add']);
  return add === undefined ? {} : { add };
};
