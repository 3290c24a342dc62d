const unitMs: Readonly<Record<string, number | undefined>> = {
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses the value of `statement_timeout`: a number with an optional unit (PostgreSQL manual, "Parameter Names and
 * Values").
 *
 * @returns milliseconds; null for no timeout
 */
export function parseTimeoutMs(setting: string): number | null {
  const [, number, unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)?\s*$/.exec(setting) ?? [];
  const factor = unitMs[unit];
  if (number === undefined || factor === undefined) return null;
  return Math.ceil(Number(number) * factor) || null;
}
