/** What travels between the service and its hashing process. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string | null };

export type HashResult =
  | { readonly hash: string }
  | { readonly ok: boolean; readonly needsRehash: boolean }
  | { readonly failure: string };

/** A process says once that it has started, then answers job by job. */
export type HashMessage = 'ready' | HashResult;
