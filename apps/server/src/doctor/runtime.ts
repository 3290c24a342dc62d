/** Checks the version of Node.js. */
import { findNodeSupportWarning } from '../config/end-of-life.ts';
import { ok, warning, type CheckResult } from './check-result.ts';

export function checkRuntime(now: Date): CheckResult {
  const version = process.versions.node;
  const supportWarning = findNodeSupportWarning(version, now);
  return supportWarning
    ? warning(
        'runtime',
        `${supportWarning} (Current version: ${version}.)`,
        'Run the service with a supported Node.js version.',
      )
    : ok('runtime', `Node.js ${version}`);
}
