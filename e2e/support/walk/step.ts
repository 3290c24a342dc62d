/** Type of a step, and conditions and checks that the steps share. */
import { expect, type Locator } from '@playwright/test';
import type fc from 'fast-check';
import { readView, type View } from './view.ts';
import { hasScreenError, isOverlay, type Walk } from './walk.ts';

export interface StepKind<Value> {
  readonly value: fc.Arbitrary<Value>;
  /** Returns true if the step is possible in the current state. */
  readonly applies: (walk: Walk, value: Value) => boolean;
  readonly run: (walk: Walk, value: Value) => Promise<void>;
  /** Additional checks after this step. */
  readonly verify?: (walk: Walk, value: Value, before: View) => Promise<void>;
}

/** Creates a step. Infers the type of its value. */
export const step = <Value>(kind: StepKind<Value>): StepKind<Value> => kind;

export const inConsole = ({ view }: Walk): boolean => view.path.startsWith('/admin/');

/** Returns true if exactly these dialogs and panels are open. */
export const isOnlyOpen = ({ view }: Walk, ...names: readonly string[]): boolean =>
  view.dialogs.length === names.length && names.every((name) => view.dialogs.includes(name));

const hasAny = ({ view }: Walk, parameters: readonly string[]): boolean =>
  parameters.some((parameter) => view.query[parameter] !== undefined);

export const hasForm = (walk: Walk): boolean =>
  hasAny(walk, ['new', 'invite', 'action', 'requirement', 'add']);

export const hasPanel = (walk: Walk): boolean => hasAny(walk, ['account', 'invitation', 'administrator']);

const phoneWidth = 768;

/** Returns true if the sidebar is a sheet and a panel covers the page. */
export const isPhone = ({ page }: Walk): boolean => (page.viewportSize()?.width ?? 0) < phoneWidth;

/** Returns true if no dialog or panel covers the page. */
export const isFree = (walk: Walk): boolean =>
  inConsole(walk) &&
  !hasForm(walk) &&
  !walk.view.dialogs.some(isOverlay) &&
  !(hasPanel(walk) && isPhone(walk));

/** Returns true if the screen at this path is shown without an error, a dialog or a panel. */
export const isAt = (walk: Walk, path: string): boolean =>
  walk.view.path === path && isFree(walk) && !hasPanel(walk) && !hasScreenError(walk);

export const isAtAccounts = (walk: Walk): boolean => isAt(walk, '/admin/accounts');

export const hasRows = ({ view }: Walk): boolean => (view.counted ?? 0) > 0;

/** Clicks the last matching element, unless there is none or it is disabled. */
export async function clickIfShown(target: Locator): Promise<void> {
  if ((await target.count()) > 0 && (await target.last().isEnabled())) await target.last().click();
}

export async function expectFocusKept({ page }: Pick<Walk, 'page'>): Promise<void> {
  await expect
    .poll(async () => (await readView(page)).focusLost, { message: 'the focus is on the body' })
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

/** Checks that a failed action shows its error offline and that a success removes it. */
export const expectResult = (walk: Walk, error: string): Promise<void> =>
  walk.online
    ? expectErrors(walk, `no "${error}" after the success`, (errors) => !errors.includes(error))
    : expectErrors(walk, `"${error}" while offline`, (errors) => errors.includes(error));

/** The error of a dialog or panel whose code is not loaded. */
export const missingPartError = 'A part of this page could not be loaded';

/** Checks that error toasts of a screen disappear on navigation. */
export const expectNoOldErrors = async (walk: Walk, _value: unknown, before: View): Promise<void> => {
  if (walk.view.path === before.path || walk.view.path.startsWith('/auth')) return;
  // Offline, the new screen can miss a panel that its URL names.
  const isOld = (error: string): boolean => walk.online || error !== missingPartError;
  await expectErrors(walk, 'no errors of the previous screen', (errors) => !errors.some(isOld));
};
