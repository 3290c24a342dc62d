/** Measures one export of the account list. */
import { residentMemory } from './instance.mjs';

/** Exports the list once. Memory in MiB, times in ms. */
export async function measureExport({ url, pid, token, anonKey }, sort) {
  const before = residentMemory(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentMemory(pid))), 200);
  const start = performance.now();
  const response = await fetch(`${url}/functions/v1/export-accounts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, apikey: anonKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ sort }),
  });
  let firstByte = 0;
  let bytes = 0;
  let lines = -1;
  for await (const chunk of response.body) {
    firstByte ||= performance.now() - start;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  return {
    sort,
    rows: lines,
    MB: Math.round(bytes / 1e6),
    'first byte, ms': Math.round(firstByte),
    'rows/s': Math.round(lines / seconds),
    'memory before': before,
    'memory peak': peak,
  };
}
