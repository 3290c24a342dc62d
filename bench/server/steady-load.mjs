/** A steady load of reads and writes, which measures how long each request waits. */
import { createResponseTimes } from './response-times.mjs';

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
  const waits = { read: createResponseTimes(), write: createResponseTimes() };
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
  const schedule = (kind, request, intervalMs) =>
    setInterval(() => {
      const sent = waits[kind].send(request).finally(() => running.delete(sent));
      running.add(sent);
    }, intervalMs);
  const timers = [schedule('read', read, readIntervalMs), schedule('write', write, writeIntervalMs)];
  return {
    results: () => {
      const result = { requests: 0, failures: 0 };
      for (const [kind, times] of Object.entries(waits)) {
        const { count, failures, quantile } = times.take();
        result[`${kind} p95 ms`] = quantile(0.95);
        result[`${kind} longest ms`] = quantile(1);
        result.requests += count;
        result.failures += failures;
      }
      return result;
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
