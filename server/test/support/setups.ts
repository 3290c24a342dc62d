/** Three services as operators set them up, on one clock. */
import { authCaller, type AuthCaller } from './auth-caller.ts';
import { startTestService, type Engine, type TestService } from './service.ts';

export interface Setup extends TestService {
  readonly auth: AuthCaller;
}

export interface Setups {
  /** Nobody makes an account without an invitation. */
  readonly strict: Setup;
  /** With `SIGNUP=on`. */
  readonly open: Setup;
  /** With `PROFILE=compat`. */
  readonly compat: Setup;
  /** Moves the clock of all three. */
  pass(seconds: number): void;
  close(): Promise<void>;
}

export async function openSetups(engine: Engine): Promise<Setups> {
  let clock = Date.now();
  const now = (): Date => new Date(clock);
  const start = async (settings: Record<string, string> = {}): Promise<Setup> => {
    const service = await startTestService(engine, { now, settings });
    return { ...service, auth: authCaller(service) };
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
