/** fast-check commands for the steps of a walk, generated from a seed and serializable as examples. */
import fc from 'fast-check';
import { accountSteps } from './account-steps.ts';
import { fileSteps } from './file-steps.ts';
import { formSteps } from './form-steps.ts';
import { expectInvariants } from './invariants.ts';
import { listSteps } from './list-steps.ts';
import { pageSteps } from './page-steps.ts';
import { screenSteps } from './screen-steps.ts';
import { sessionSteps } from './session-steps.ts';
import { viewSteps } from './view-steps.ts';
import type { StepKind } from './step.ts';
import type { Walk } from './walk.ts';

const { goOnline, signIn, ...stepsEverywhere } = { ...pageSteps, ...sessionSteps };
const steps = {
  ...stepsEverywhere,
  goOnline,
  signIn,
  ...listSteps,
  ...viewSteps,
  ...accountSteps,
  ...formSteps,
  ...fileSteps,
  ...screenSteps,
};

type StepName = keyof typeof steps;

const getStepKind = (name: StepName): StepKind<unknown> => steps[name] as StepKind<unknown>;

/** A step as name and value, as printed in failures and stored in examples. */
export type SerializedStep = readonly [StepName, unknown?];

const stepsPerWalk = 15;

class StepCommand implements fc.AsyncCommand<Walk, Walk, true> {
  readonly #name: StepName;
  readonly #value: unknown;

  constructor(name: StepName, value: unknown) {
    this.#name = name;
    this.#value = value;
  }

  /** Skips steps that are not possible in the current state. Skipped steps do not count. */
  async check(walk: Readonly<Walk>): Promise<boolean> {
    return Promise.resolve(
      walk.taken.length < stepsPerWalk && getStepKind(this.#name).applies(walk, this.#value),
    );
  }

  async run(_model: Walk, walk: Walk): Promise<void> {
    const { run, verify } = getStepKind(this.#name);
    const before = walk.view;
    walk.taken.push(String(this));
    await run(walk, this.#value);
    await expectInvariants(walk, String(this));
    await verify?.(walk, this.#value, before);
  }

  toString(): string {
    return JSON.stringify(this.#value === null ? [this.#name] : [this.#name, this.#value]);
  }
}

export type { StepCommand };

export const toCommands = (serialized: readonly SerializedStep[]): StepCommand[] =>
  serialized.map(([name, value = null]) => new StepCommand(name, value));

const anyStep = fc.oneof(
  ...(Object.keys(steps) as StepName[]).map((name) => ({
    // Steps that are possible often would displace those of the other screens and dialogs.
    weight: name in stepsEverywhere ? 1 : name in listSteps ? 3 : 6,
    arbitrary: getStepKind(name).value.map((value) => new StepCommand(name, value)),
  })),
);

/** Few candidates are possible on some screens. With 600, almost every walk has 15 steps. */
const anyWalk = fc.array(anyStep, { minLength: 600, maxLength: 600, size: 'max' });

/** Generates the candidates of the walk with this seed. */
export const candidates = (seed: number): StepCommand[] => fc.sample(anyWalk, { seed, numRuns: 1 })[0] ?? [];
