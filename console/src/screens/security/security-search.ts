/** What the address of the security page says: which dialog for something new is open. */
const additions = ['app', 'key', 'phone', 'passkey'] as const;

export type Addition = (typeof additions)[number];

export interface SecuritySearch {
  add?: Addition;
}

/** Reads search params of any origin; what makes no sense is left out. */
export const readSecuritySearch = (params: Readonly<Record<string, unknown>>): SecuritySearch => {
  const add = additions.find((name) => name === params['add']);
  return add === undefined ? {} : { add };
};
