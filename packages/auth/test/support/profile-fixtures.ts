/** Three services with common operator settings, on one clock. */
import { createAuthRequester, type AuthRequester } from './auth-requests.ts';
import { authSettings, type AuthSettings } from '../../src/settings.ts';
import { startAuth, type AuthFixture, type Engine } from './start-auth.ts';

export interface ProfileService extends AuthFixture {
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

const compatDefaults: Partial<AuthSettings> = Object.fromEntries(
  Object.entries(authSettings.shape).flatMap(([name, schema]) => {
    const { compat } = { compat: undefined, ...schema.meta() };
    return compat === undefined ? [] : [[name, compat]];
  }),
);

export async function openProfileServices(engine: Engine): Promise<ProfileServices> {
  let clock = Date.now();
  const now = (): Date => new Date(clock);
  const start = async (settings: Partial<AuthSettings> = {}): Promise<ProfileService> => {
    const service = await startAuth(engine, { now, settings });
    return { ...service, auth: createAuthRequester(service) };
  };
  const [strict, open] = [await start(), await start({ SIGNUP: true })];
  const compat = await start({ ...compatDefaults, PROFILE: 'compat' });
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
