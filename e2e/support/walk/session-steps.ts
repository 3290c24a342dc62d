/** Steps that end the session, and the way back in. */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { secret } from '../users.ts';
import { expectErrors, inConsole, step } from './step.ts';
import { readView } from './view.ts';
import type { Walk } from './walk.ts';

const isAskedAgain = ({ view }: Walk): boolean => view.dialogs.includes('Sign in again');

/** The page goes to the sign-in screen, or asks for the password over unsaved input. */
async function expectToLeave(walk: Walk): Promise<void> {
  walk.sessionEnded = true;
  walk.signedIn = false;
  await expect
    .poll(
      async () => {
        walk.view = await readView(walk.page);
        return walk.view.path === '/auth' || isAskedAgain(walk);
      },
      { message: 'the page notices that its session has ended' },
    )
    .toBe(true);
}

export const sessionSteps = {
  signOutInAnotherTab: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && walk.signedIn && inConsole(walk),
    act: async (walk) => {
      const other = await walk.page.context().newPage();
      await other.goto('/admin/subtypes');
      await other.getByRole('button', { name: walk.person.fullName }).click();
      await other.getByRole('menuitem', { name: 'Sign Out' }).click();
      await other.getByRole('heading', { name: 'Welcome Back' }).waitFor();
      await other.close();
      await expectToLeave(walk);
    },
  }),
  sessionEnds: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && walk.signedIn && inConsole(walk),
    act: async (walk) => {
      await walk.sql('delete from auth.sessions where user_id = $1', [walk.person.id]);
      // A person comes back to the window, which makes the page check its session.
      // It may have left already.
      await walk.page.evaluate(() => void dispatchEvent(new Event('focus'))).catch(() => null);
      await expectToLeave(walk);
    },
  }),
  signIn: step({
    value: fc.constant(null),
    applies: (walk) => walk.online && (walk.view.path === '/auth' || isAskedAgain(walk)),
    act: async (walk) => {
      const { page } = walk;
      const again = isAskedAgain(walk);
      if (!again) await page.getByLabel('Email', { exact: true }).fill(walk.person.email);
      await page.getByLabel('Password', { exact: true }).last().fill(secret);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      // Passwords are hashed at the lowest priority.
      const patient = { timeout: 60_000 };
      if (again) await expect(page.getByRole('dialog', { name: 'Sign in again' })).toHaveCount(0, patient);
      else await expect(page).toHaveURL(/\/admin\//, patient);
      walk.signedIn = true;
      walk.outdated = false;
    },
    afterwards: (walk) =>
      expectErrors(walk, 'no message about a session that ended', (errors) =>
        errors.every((title) => !/session/i.test(title)),
      ),
  }),
};
