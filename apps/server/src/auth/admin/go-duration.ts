/** Durations as the contract writes them (`24h`, `1h30m`, `300ms`): Go's notation. */
const units: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000001,
};

/** Milliseconds, or null when the text is no duration. */
export function parseGoDuration(text: string): number | null {
  if (text === '0') return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null;
  const total = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
  // Beyond what a date can hold is no date.
  return total < 8e14 ? total : null;
}
