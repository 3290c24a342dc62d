/** Steps that end the session or sign in again. */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { testPassword } from '../users.ts';
import { expectErrors, inConsole, step } from './step.ts';
import { readView } from './view.ts';
import type { Walk } from './walk.ts';

const showsSignInDialog = ({ view }: Walk): boolean => view.dialogs.includes('Sign in again');

/** Waits for the sign-in screen, or for the sign-in dialog over unsaved input. */
async function expectSessionEnd(walk: Walk): Promise<void> {
  walk.sessionEnded = true;
  walk.signedIn = false;
  await expect
    .poll(
      async () => {
        walk.view = await readView(walk.page);
        return walk.view.path === '/auth' || showsSignInDialog(walk);
      },
      { message: 'the page detects the end of its session' },
    )
    .toBe(true);
}

export const sessionSteps = {
  signOutInAnotherTab: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && walk.signedIn && inConsole(walk),
    run: async (walk) => {
      const other = await walk.page.context().newPage();
      await other.goto('/admin/subtypes');
      await other.getByRole('button', { name: walk.user.fullName }).click();
      await other.getByRole('menuitem', { name: 'Sign Out' }).click();
      await other.getByRole('heading', { name: 'Welcome Back' }).waitFor();
      await other.close();
      await expectSessionEnd(walk);
    },
  }),
  revokeSession: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && walk.signedIn && inConsole(walk),
    run: async (walk) => {
      await walk.sql('delete from auth.sessions where user_id = $1', [walk.user.id]);
      // The focus event makes the page check its session. The page may have navigated already.
      await walk.page.evaluate(() => void dispatchEvent(new Event('focus'))).catch(() => null);
      await expectSessionEnd(walk);
    },
  }),
  signIn: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && (walk.view.path === '/auth' || showsSignInDialog(walk)),
    run: async (walk) => {
      const { page } = walk;
      const inDialog = showsSignInDialog(walk);
      if (!inDialog) await page.getByLabel('Email', { exact: true }).fill(walk.user.email);
      await page.getByLabel('Password', { exact: true }).last().fill(testPassword);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      // Password hashing runs at the lowest priority.
      const options = { timeout: 60_000 };
      if (inDialog) await expect(page.getByRole('dialog', { name: 'Sign in again' })).toHaveCount(0, options);
      else await expect(page).toHaveURL(/\/admin\//, options);
      walk.signedIn = true;
      // The page below the dialog keeps data that it has just loaded.
      if (!inDialog) walk.outdated = false;
    },
    verify: (walk) =>
      expectErrors(walk, 'no toast about an ended session', (errors) =>
        errors.every((title) => !/session/i.test(title)),
      ),
  }),
};
