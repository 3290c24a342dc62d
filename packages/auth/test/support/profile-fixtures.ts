/** Three services with common operator settings, on one clock. */
import { createAuthRequester, type AuthRequester } from './auth-requests.ts';
import {
  startTestService,
  type Engine,
  type TestService,
} from '../../../../apps/server/test/support/test-service.ts';

export interface ProfileService extends TestService {
  readonly auth: AuthRequester;
}

export interface ProfileServices {
  /** Without sign-up: users are created by invitation only. */
  readonly strict: ProfileService;
  /** With `SIGNUP=on`. */
  readonly open: ProfileService;
  /** With `PROFILE=compat`. */
  readonly compat: ProfileService;
  /** Moves the clock of all three. */
  pass(seconds: number): void;
  close(): Promise<void>;
}

export async function openProfileServices(engine: Engine): Promise<ProfileServices> {
  let clock = Date.now();
  const now = (): Date => new Date(clock);
  const start = async (settings: Record<string, string> = {}): Promise<ProfileService> => {
    const service = await startTestService(engine, { now, settings });
    return { ...service, auth: createAuthRequester(service) };
  };
  const [strict, open] = [await start(), await start({ SIGNUP: 'on' })];
  const compat = await start({ PROFILE: 'compat' });
  return {
    strict,
    open,
    compat,
    pass: (seconds) => {
      clock += seconds * 1000;
    },
    close: async () => {
      for (const service of [strict, open, compat]) await service.close();
    },
  };
}
