/** What one kind of step is, and the questions that all kinds ask about the page. */
import { expect } from '@playwright/test';
import type fc from 'fast-check';
import { readView, type View } from './view.ts';
import { isBroken, isOverlay, type Walk } from './walk.ts';

export interface StepKind<Value> {
  readonly value: fc.Arbitrary<Value>;
  /** Whether a person could do this now. */
  readonly applies: (walk: Walk, value: Value) => boolean;
  readonly act: (walk: Walk, value: Value) => Promise<void>;
  /** What holds after this step besides the invariants of every step. */
  readonly afterwards?: (walk: Walk, value: Value, before: View) => Promise<void>;
}

/** Infers the type of the value. */
export const step = <Value>(kind: StepKind<Value>): StepKind<Value> => kind;

export const inConsole = ({ view }: Walk): boolean => view.path.startsWith('/admin/');

/** The dialogs and panels that are open are exactly these. */
export const isOnlyOpen = ({ view }: Walk, ...names: readonly string[]): boolean =>
  view.dialogs.length === names.length && names.every((name) => view.dialogs.includes(name));

export const hasForm = ({ view }: Walk): boolean =>
  view.query['new'] !== undefined || view.query['invite'] !== undefined;

export const hasPanel = ({ view }: Walk): boolean =>
  view.query['account'] !== undefined || view.query['invitation'] !== undefined;

const phoneWidth = 768;

/** On a phone the sidebar is a sheet, and a panel covers the page. */
export const isPhone = ({ page }: Walk): boolean => (page.viewportSize()?.width ?? 0) < phoneWidth;

/** The page takes the pointer: dialogs cover it, panels lie beside it. */
export const isFree = (walk: Walk): boolean =>
  inConsole(walk) &&
  !hasForm(walk) &&
  !walk.view.dialogs.some(isOverlay) &&
  !(hasPanel(walk) && isPhone(walk));

/** The screen at this path is shown, takes the pointer, and no panel is open. */
export const isAt = (walk: Walk, path: string): boolean =>
  walk.view.path === path && isFree(walk) && !hasPanel(walk) && !isBroken(walk);

export const isAtAccounts = (walk: Walk): boolean => isAt(walk, '/admin/accounts');

export const hasRows = ({ view }: Walk): boolean => (view.counted ?? 0) > 0;

export async function keepsFocus({ page }: Pick<Walk, 'page'>): Promise<void> {
  await expect
    .poll(async () => (await readView(page)).focusLost, { message: 'the focus is on body' })
    .toBe(false);
}

/** Waits until the errors on the page satisfy `expected`. */
export async function expectErrors(
  { page }: Walk,
  message: string,
  expected: (errors: readonly string[]) => boolean,
): Promise<void> {
  await expect.poll(async () => expected((await readView(page)).errors), { message }).toBe(true);
}

/** Errors of a screen do not follow to another one. */
export const leavesNoErrors = async (walk: Walk, _value: unknown, before: View): Promise<void> => {
  if (walk.view.path === before.path || walk.view.path.startsWith('/auth')) return;
  await expectErrors(walk, 'no errors of the screen that was left', (errors) => errors.length === 0);
};
