/** Steps on the screens that import accounts and invite administrators from a list. */
import { expect, type Page } from '@playwright/test';
import fc from 'fast-check';
import { unique } from '../api.ts';
import { clickIfShown, isAt, step } from './step.ts';
import type { Walk } from './walk.ts';

const isAtImport = (walk: Walk): boolean => isAt(walk, '/admin/accounts/import');
const isAtList = (walk: Walk): boolean => isAt(walk, '/admin/platform-admins/invite-list');

const files = [
  'name,type\nWalk import,enterprise\nWalk import two,organization\n',
  'name,type\n,enterprise\nWalk import three,organization\n',
  'town\nVail\n',
  '',
];

/** Waits until the file or the pasted text is read. */
async function expectRead(page: Page): Promise<void> {
  const main = page.getByRole('main');
  const rejected = main.locator('[aria-invalid="true"]');
  await expect(main.getByRole('button', { name: 'Check rows' }).or(rejected).first()).toBeVisible();
}

/** Waits until no run is in progress. */
const expectRunEnd = (page: Page): Promise<void> =>
  expect(page.getByRole('main').getByRole('button', { name: /^Cancel/ })).toHaveCount(0);

export const fileSteps = {
  chooseFile: step({
    value: fc.constantFrom(...files),
    applies: (walk) => isAtImport(walk) || isAtList(walk),
    run: async ({ page }, content) => {
      await page
        .getByLabel('CSV or Excel file')
        .setInputFiles({ name: 'walk.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
      await expectRead(page);
    },
  }),
  pasteList: step({
    value: fc.constantFrom('no address,Bo Ek\n', ''),
    applies: isAtList,
    run: async ({ page }, further) => {
      const rows = `email,full name\n${unique('walk')}@example.org,Ann Lee\n${further}`;
      await page.getByLabel('Or paste rows').fill(rows);
      await page.getByRole('button', { name: 'Use pasted rows' }).click();
      await expectRead(page);
    },
  }),
  pressRunButton: step({
    value: fc.constantFrom('Check rows', 'Import', 'Invite', 'Continue', 'Save results'),
    applies: (walk) => isAtImport(walk) || isAtList(walk),
    run: async ({ page }, name) => {
      await clickIfShown(page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) }));
      await expectRunEnd(page);
    },
  }),
};
