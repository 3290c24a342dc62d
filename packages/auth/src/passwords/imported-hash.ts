/** Bounds for imported password hashes: verifying one takes about a second at most. */

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const argon2 = /^\$argon2(?:id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]{8,128}\$[\w+/]{8,256}$/;

/** bcrypt: rounds as a power of two. argon2: memory in KiB, passes, lanes. */
const max = { cost: 14, memory: 131_072, passes: 10, lanes: 16 } as const;

/** The bounds as text, for error messages. */
export const hashLimitsText = `bcrypt up to cost ${max.cost}, argon2 up to m=${max.memory}, t=${max.passes}, p=${max.lanes}`;

/** @returns 'too costly' for a hash of a known type whose verification would delay other sign-ins */
export function classifyHash(hash: string): 'bcrypt' | 'argon2' | 'too costly' | 'unknown' {
  const bcryptMatch = bcrypt.exec(hash);
  if (bcryptMatch) return Number(bcryptMatch[1]) <= max.cost ? 'bcrypt' : 'too costly';
  const parameters = argon2.exec(hash);
  if (!parameters) return 'unknown';
  const [memory = 0, passes = 0, lanes = 0] = parameters.slice(1).map(Number);
  const isWithinBounds = memory <= max.memory && passes <= max.passes && lanes <= max.lanes;
  return isWithinBounds ? 'argon2' : 'too costly';
}
