/** A state of a screen, and how to open it. */
import { expect, type Page } from '@playwright/test';
import type { TestUsers } from './users.ts';
import type { Instance } from './instance.ts';

export interface StateContext {
  readonly page: Page;
  readonly instance: Instance;
  readonly users: TestUsers;
}

export interface PageState {
  readonly name: string;
  readonly as: 'signed-out' | 'administrator' | 'plain';
  /** Console messages that the state causes. */
  readonly messages?: readonly RegExp[];
  readonly open: (context: StateContext) => Promise<void>;
}

export const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

export const goto =
  (path: string, name: string | RegExp) =>
  async ({ page }: StateContext): Promise<void> => {
    await page.goto(path);
    await heading(page, name);
  };

export const openView = (path: string, name: string) => async (context: StateContext) => {
  await goto(path, name)(context);
  const { page } = context;
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'View' })).toBeVisible();
};
