/** Warnings about unsupported versions of Node.js and Postgres, for the log at startup and `lanternrock doctor`. */

/** End of life of Node.js release lines (nodejs/Release, schedule.json), without odd versions, which have no LTS. */
const nodeEnds: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** End of life of Postgres major versions (postgresql.org, versioning policy). */
const postgresEnds: Readonly<Record<number, string>> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};

/** Minor releases that fix the eleven vulnerabilities of May 2026, as `server_version_num`. */
const postgresFloors: Readonly<Record<number, number>> = {
  15: 150_018,
  16: 160_014,
  17: 170_010,
  18: 180_004,
};

/**
 * @param version as in `process.versions.node`
 * @returns a sentence if the version is not supported, otherwise null
 */
export function findNodeSupportWarning(version: string, now: Date): string | null {
  const major = Number(version.split('.')[0]);
  const end = nodeEnds[major];
  if (end !== undefined && now > new Date(end))
    return `Node.js ${major} has not received security fixes since ${end}.`;
  if (end === undefined && major % 2 === 1) return `Node.js ${major} is not a long-term support release.`;
  return null;
}

/**
 * @param version as in `server_version_num`
 * @returns a sentence if the version is not supported or lacks known security fixes, otherwise null
 */
export function findPostgresSupportWarning(version: number, now: Date): string | null {
  const major = Math.floor(version / 10_000);
  const end = postgresEnds[major];
  if (end !== undefined && now > new Date(end))
    return `Postgres ${major} has not received security fixes since ${end}.`;
  const floor = postgresFloors[major];
  if (floor !== undefined && version < floor)
    return `Postgres ${major}.${version % 10_000} lacks the security fixes of ${major}.${floor % 10_000}.`;
  return null;
}
