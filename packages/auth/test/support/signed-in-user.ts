/** Fixture of the sign-in tests: a service with a test clock, and a new user before each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createAuthRequester, type AuthRequester, type TestApi } from './auth-requests.ts';
import { startAuth, type AuthFixture, type Engine } from './start-auth.ts';
import type { TestUser, TokenResponse } from './users.ts';

/** The service that a test signs in to. */
interface SignInFixture extends TestApi {
  createUser(): Promise<TestUser>;
  signIn(user: Pick<TestUser, 'email' | 'password'>): Promise<TokenResponse>;
  close(): Promise<void>;
}

export interface SignedInUser<Fixture> {
  readonly test: Fixture;
  readonly auth: AuthRequester;
  readonly ann: TestUser;
  readonly session: TokenResponse;
  /** Access token of the session. */
  readonly bearer: string;
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
 * @param start opens the service on the clock of the test
 * @param onReady receives the fixture before each test
 */
export function setUpSignedInUser<Fixture extends SignInFixture>(
  start: (now: () => Date) => Promise<Fixture>,
  onReady: (ready: SignedInUser<Fixture>) => void,
): TestClock {
  let now = Date.now();
  let test: Fixture;
  const clock: TestClock = {
    now: () => new Date(now),
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
  beforeAll(async () => {
    test = await start(clock.now);
  });
  beforeEach(async () => {
    clock.pass(newTimeStep);
    const ann = await test.createUser();
    const session = await test.signIn(ann);
    onReady({ test, auth: createAuthRequester(test), ann, session, bearer: session.access_token });
  });
  afterAll(() => test.close());
  return clock;
}

/** Sets up the Auth API without a server, and the user. */
export const setUpAuthUser = (
  engine: Engine,
  onReady: (ready: SignedInUser<AuthFixture>) => void,
): TestClock => setUpSignedInUser((now) => startAuth(engine, { now }), onReady);
