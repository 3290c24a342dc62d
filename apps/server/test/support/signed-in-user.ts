/** What tests of the sign-in begin with: a service whose clock they move, and somebody new before each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createAuthRequester, type AuthRequester } from './auth-requests.ts';
import { startTestService, type Engine, type TestService, type TestUser } from './test-service.ts';

export interface SignedInUserFixture {
  readonly test: TestService;
  readonly auth: AuthRequester;
  readonly ann: TestUser;
  readonly session: Awaited<ReturnType<TestService['signIn']>>;
}

export interface TestClock {
  now(): Date;
  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void;
}

/** Longer than two time steps: no code of another test is still good. */
export const newTimeStep = 90_000;

/** @param take what the tests work with, given before each of them */
export function setUpSignedInUser(engine: Engine, take: (ready: SignedInUserFixture) => void): TestClock {
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
    take({ test, auth: createAuthRequester(test), ann, session: await test.signIn(ann) });
  });
  afterAll(() => test.close());
  return clock;
}
