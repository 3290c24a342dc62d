/** Name of the advisory lock under which one process at a time seals or cuts the chain. */
export const chainLock = 'audit chain';
