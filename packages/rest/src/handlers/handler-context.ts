import type { RequestRunner } from '../run/request-runner.ts';
import type { WriteLimit } from '../run/write-limit.ts';
import type { RestSettings } from '../settings.ts';
import type { PlanCache } from './plan-cache.ts';

/** What the handlers of reads, writes and function calls share. */
export interface HandlerContext {
  readonly settings: RestSettings;
  readonly plans: PlanCache;
  readonly runner: RequestRunner;
  readonly writeLimit: WriteLimit;
}
