/** A steady load of reads and writes, which measures how long each request waits. */

const readIntervalMs = 25;
const writeIntervalMs = 66;

/**
 * Starts 40 reads and 15 writes per second. Each wait begins at the scheduled time of the request.
 *
 * @returns `results`: percentiles in milliseconds and failures since its last call; `stop`: resolves after the last response
 */
export function startSteadyLoad({ url, anonKey, token, userId }) {
  const headers = { apikey: anonKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const running = new Set();
  let waits = { read: [], write: [] };
  let failures = 0;
  const read = () => fetch(`${url}/rest/v1/accounts?select=*&order=created_at.desc&limit=10`, { headers });
  const write = () =>
    fetch(`${url}/rest/v1/accounts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: 'Steady load',
        slug: 'steady-load',
        account_type: 'organization',
        created_by: userId,
      }),
    });
  const send = async (kind, request) => {
    const startedAt = performance.now();
    try {
      const response = await request();
      await response.arrayBuffer();
      if (!response.ok) failures += 1;
    } catch {
      failures += 1;
    }
    waits[kind].push(performance.now() - startedAt);
  };
  const schedule = (kind, request, intervalMs) =>
    setInterval(() => {
      const sent = send(kind, request).finally(() => running.delete(sent));
      running.add(sent);
    }, intervalMs);
  const timers = [schedule('read', read, readIntervalMs), schedule('write', write, writeIntervalMs)];
  return {
    results: () => {
      const result = {};
      for (const [kind, values] of Object.entries(waits)) {
        const sorted = values.toSorted((a, b) => a - b);
        result[`${kind} p95 ms`] = Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0);
        result[`${kind} longest ms`] = Math.round(sorted.at(-1) ?? 0);
      }
      const { read: reads, write: writes } = waits;
      result.requests = reads.length + writes.length;
      result.failures = failures;
      waits = { read: [], write: [] };
      failures = 0;
      return result;
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
