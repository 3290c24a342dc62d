/** Messages between the service and its hashing processes. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string | null };

export type HashResult =
  | { readonly hash: string }
  | { readonly ok: boolean; readonly needsRehash: boolean }
  | { readonly failure: string };

/** A process sends `ready` once, then one result per job. */
export type HashMessage = 'ready' | HashResult;
