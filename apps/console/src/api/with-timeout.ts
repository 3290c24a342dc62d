/** `work`, or a rejection with `error()` after `limit` milliseconds. The work itself goes on unseen. */
export const withTimeout = <Result>(
  work: Promise<Result>,
  limit: number,
  error: () => Error,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), limit);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
