/** Parses durations in Go's notation (`24h`, `1h30m`, `300ms`), which Supabase Auth uses for bans. */
const units: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000001,
};

/**
 * Parses a duration.
 *
 * @returns milliseconds; null for an invalid duration
 */
export function parseGoDuration(text: string): number | null {
  if (text === '0') return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null;
  const total = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
  // A JavaScript date cannot represent more.
  return total < 8e14 ? total : null;
}
