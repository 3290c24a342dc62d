/** Steps as commands of fast-check: made from a number, printed, and kept as examples. */
import fc from 'fast-check';
import { formSteps } from './form-steps.ts';
import { expectSound } from './invariants.ts';
import { listSteps } from './list-steps.ts';
import { pageSteps } from './page-steps.ts';
import { sessionSteps } from './session-steps.ts';
import type { StepKind } from './step.ts';
import type { Walk } from './walk.ts';

const steps = { ...pageSteps, ...listSteps, ...formSteps, ...sessionSteps };

type StepName = keyof typeof steps;

const kindOf = (name: StepName): StepKind<unknown> => steps[name] as StepKind<unknown>;

/** One step as it is printed and kept: its name and, where it has one, its value. */
export type KeptStep = readonly [StepName, unknown?];

const stepsPerWalk = 15;

class StepCommand implements fc.AsyncCommand<Walk, Walk, true> {
  readonly #name: StepName;
  readonly #value: unknown;

  constructor(name: StepName, value: unknown) {
    this.#name = name;
    this.#value = value;
  }

  /** A step that a person could not take at this moment is passed over and does not count. */
  async check(walk: Readonly<Walk>): Promise<boolean> {
    return Promise.resolve(walk.taken.length < stepsPerWalk && kindOf(this.#name).applies(walk, this.#value));
  }

  async run(_model: Walk, walk: Walk): Promise<void> {
    const { act, afterwards } = kindOf(this.#name);
    const before = walk.view;
    walk.taken.push(String(this));
    await act(walk, this.#value);
    await expectSound(walk, String(this));
    await afterwards?.(walk, this.#value, before);
  }

  toString(): string {
    return JSON.stringify(this.#value === null ? [this.#name] : [this.#name, this.#value]);
  }
}

export type { StepCommand };

export const commandsOf = (kept: readonly KeptStep[]): StepCommand[] =>
  kept.map(([name, value = null]) => new StepCommand(name, value));

const anyStep = fc.oneof(
  ...(Object.keys(steps) as StepName[]).map((name) =>
    kindOf(name).value.map((value) => new StepCommand(name, value)),
  ),
);

/** More than enough: of ten candidates, about three are possible. */
const anyWalk = fc.array(anyStep, { minLength: 150, maxLength: 150, size: 'max' });

/** The candidates of the walk with this number: the same for the same number. */
export const candidates = (number: number): StepCommand[] =>
  fc.sample(anyWalk, { seed: number, numRuns: 1 })[0] ?? [];
