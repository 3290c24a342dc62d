/** Runs a check of a request with the schema cache and the role of the client. */
import type { CheckContext } from '../check/lookups.ts';
import type { AuthenticatedRequest } from '../run/request-runner.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';

/**
 * Runs `check`; again with a new schema cache, if it failed because of an unknown name or a missing privilege.
 *
 * @throws what `check` throws
 */
export type RunCheck = <Result>(
  incoming: AuthenticatedRequest,
  check: (context: CheckContext) => Result,
) => Promise<Result>;

export function createRunCheck(settings: RestSettings, schemaCache: SchemaCacheManager): RunCheck {
  return async ({ request: { schema }, principal: { role } }, check) => {
    const run = async (): Promise<ReturnType<typeof check>> =>
      check({ cache: await schemaCache.get(), schema, role, aggregates: settings.AGGREGATES });
    // Anonymous clients must not cause reloads.
    return role === 'anon' ? run() : schemaCache.withReload(run);
  };
}
