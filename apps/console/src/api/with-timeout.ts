/**
 * Returns the result of `work`, or rejects with `createError()` after a timeout. Does not cancel the work.
 *
 * @param timeoutMs milliseconds
 */
export const withTimeout = <Result>(
  work: Promise<Result>,
  timeoutMs: number,
  createError: () => Error,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
