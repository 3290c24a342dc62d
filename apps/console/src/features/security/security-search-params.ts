/** What the address of the security page says: which dialog for something new is open. */
const additions = ['app', 'key', 'phone', 'passkey'] as const;

export type AddDialog = (typeof additions)[number];

export interface SecuritySearchParams {
  add?: AddDialog;
}

/** Reads search params of any origin; what makes no sense is left out. */
export const validateSecuritySearch = (params: Readonly<Record<string, unknown>>): SecuritySearchParams => {
  const add = additions.find((name) => name === params['add']);
  return add === undefined ? {} : { add };
};
