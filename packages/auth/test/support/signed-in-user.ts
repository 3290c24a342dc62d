/** Fixture of the sign-in tests: a service with a test clock, and a new user before each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createAuthRequester, type AuthRequester } from './auth-requests.ts';
import {
  startTestService,
  type Engine,
  type TestService,
  type TestUser,
} from '../../../../apps/server/test/support/test-service.ts';

export interface SignedInUserFixture {
  readonly test: TestService;
  readonly auth: AuthRequester;
  readonly ann: TestUser;
  readonly session: Awaited<ReturnType<TestService['signIn']>>;
}

export interface TestClock {
  now(): Date;
  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void;
}

/** More than two time steps: invalidates all codes of other tests. In milliseconds. */
export const newTimeStep = 90_000;

/**
 * Sets up the service and the user.
 *
 * @param onReady receives the fixture before each test
 */
export function setUpSignedInUser(engine: Engine, onReady: (ready: SignedInUserFixture) => void): TestClock {
  let now = Date.now();
  let test: TestService;
  const clock: TestClock = {
    now: () => new Date(now),
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
  beforeAll(async () => {
    test = await startTestService(engine, { now: clock.now });
  });
  beforeEach(async () => {
    clock.pass(newTimeStep);
    const ann = await test.createUser();
    onReady({ test, auth: createAuthRequester(test), ann, session: await test.signIn(ann) });
  });
  afterAll(() => test.close());
  return clock;
}
