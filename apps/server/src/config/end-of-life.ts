/** Until when the versions below us are supported, so that a start and `lanternrock doctor` can say so. */

/** Ends of life of Node's release lines (nodejs/Release, schedule.json). Odd lines live half a year and are left out. */
const nodeEnds: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** Ends of life of Postgres' major versions (postgresql.org, versioning policy). */
const postgresEnds: Readonly<Record<number, string>> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};

/** First minor releases without the eleven weaknesses of May 2026, as `server_version_num`. */
const postgresFloors: Readonly<Record<number, number>> = {
  15: 150_018,
  16: 160_014,
  17: 170_010,
  18: 180_004,
};

/**
 * @param version as `process.versions.node`.
 * @returns one sentence when the runtime is past its support, else null.
 */
export function nodeSupportWarning(version: string, now: Date): string | null {
  const major = Number(version.split('.')[0]);
  const end = nodeEnds[major];
  if (end !== undefined && now > new Date(end)) return `Node ${major} gets no security fixes since ${end}.`;
  if (end === undefined && major % 2 === 1) return `Node ${major} is no long-term line.`;
  return null;
}

/**
 * @param version as `server_version_num`.
 * @returns one sentence when that Postgres is past its support or misses known fixes, else null.
 */
export function postgresSupportWarning(version: number, now: Date): string | null {
  const major = Math.floor(version / 10_000);
  const end = postgresEnds[major];
  if (end !== undefined && now > new Date(end))
    return `Postgres ${major} gets no security fixes since ${end}.`;
  const floor = postgresFloors[major];
  if (floor !== undefined && version < floor)
    return `Postgres ${major}.${version % 10_000} misses security fixes that ${major}.${floor % 10_000} has.`;
  return null;
}
