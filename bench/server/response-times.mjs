/** Response times and failures of requests, since the last call of `take`. */
export function createResponseTimes() {
  let times = [];
  let failures = 0;
  return {
    /** Sends a request, reads its response and records both. */
    send: async (request) => {
      const startedAt = performance.now();
      try {
        const response = await request();
        await response.arrayBuffer();
        if (!response.ok) failures += 1;
      } catch {
        failures += 1;
      }
      times.push(performance.now() - startedAt);
    },
    /** @returns `quantile(0.95)` in whole milliseconds; `quantile(1)` is the longest time */
    take: () => {
      const sorted = times.toSorted((a, b) => a - b);
      const taken = { count: times.length, failures };
      times = [];
      failures = 0;
      const quantile = (part) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
      return { ...taken, quantile };
    },
  };
}
