/** A connection that is reset between a request and its answer, over plain HTTP: every act has its effect once. */
import type { Browser, Page } from '@playwright/test';
import { startProxy, type TcpProxy } from '@lanternrock/testing/tcp-proxy';
import { runs } from '@lanternrock/testing/property-runs';
import { dialog as accountDialog, openAccounts, openDialog } from '../support/accounts-page.ts';
import { dialog as inviteDialog, fillInvitation, openAdmins } from '../support/admins-page.ts';
import { listRows, unique } from '../support/api.ts';
import { expect, test as base, toastWith } from '../support/console-fixtures.ts';
import type { Instance } from '../support/instance.ts';
import { applyPageConditions } from '../support/page-conditions.ts';
import { storageStateFor, type TestUser } from '../support/users.ts';

/** Resets the connection of the next request that contains the text, when the first bytes of its answer arrive. */
interface CutLine {
  readonly url: string;
  cutNext(text: string): void;
  /** Number of connections that were cut. */
  cuts(): number;
  close(): Promise<void>;
}

async function startCutLine(instance: Instance): Promise<CutLine> {
  let wanted: string | null = null;
  let cuts = 0;
  const proxy: TcpProxy = await startProxy(Number(new URL(instance.url).port), () => {
    let isAwaited = false;
    return {
      toServer: (bytes) => {
        if (wanted !== null && bytes.includes(wanted)) [isAwaited, wanted] = [true, null];
        return bytes;
      },
      toClient: (bytes) => {
        if (!isAwaited) return bytes;
        cuts += 1;
        return null;
      },
    };
  });
  return {
    url: `http://console.test:${proxy.port}`,
    cutNext: (text) => {
      wanted = text;
    },
    cuts: () => cuts,
    close: proxy.close,
  };
}

async function openConsole(browser: Browser, instance: Instance, { session }: TestUser): Promise<Page> {
  const storageState = storageStateFor(instance, session);
  const context = await browser.newContext({ baseURL: instance.url, storageState });
  await applyPageConditions(context);
  return context.newPage();
}

/** Waits for the success. Returns false if a failure was told before, and Retry was pressed. */
async function succeeds(page: Page, title: string): Promise<boolean> {
  const success = toastWith(page, title);
  const retry = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Retry' });
  await expect(success.or(retry).first()).toBeVisible({ timeout: 40_000 });
  if (!(await retry.isVisible())) return true;
  await retry.click();
  await expect(success).toBeVisible({ timeout: 40_000 });
  return false;
}

const test = base.extend({
  // A name that is not the local machine: without HTTPS, browsers have no `randomUUID` there.
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP console.test 127.0.0.1'],
      }),
    { scope: 'worker' },
  ],
});
test.use({ dedicatedInstance: 'cut connection' });

test('an act whose answer was cut off has its effect once', async ({ browser, instance, users }) => {
  const counts = { invitations: runs({ short: 2, long: 20 }), accounts: runs({ short: 2, long: 8 }) };
  test.setTimeout(60_000 + 10_000 * (counts.invitations + counts.accounts));
  const line = await startCutLine(instance);
  const page = await openConsole(browser, { ...instance, url: line.url }, await users.administrator());
  const failed = { invitations: 0, accounts: 0 };

  const emails = Array.from({ length: counts.invitations }, () => `${unique('invitee')}@example.org`);
  for (const email of emails) {
    await openAdmins(page);
    const form = await fillInvitation(page, 'Ash Cove', email);
    line.cutNext('POST /functions/v1/send-user-invitation ');
    await form.getByRole('button', { name: 'Send Invitation', exact: true }).click();
    if (!(await succeeds(page, 'Invitation sent!'))) failed.invitations += 1;
    await expect(inviteDialog(page)).toHaveCount(0);
  }
  const names = Array.from({ length: counts.accounts }, () => unique('cut'));
  for (const name of names) {
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    line.cutNext('POST /rest/v1/accounts');
    await form.getByRole('button', { name: 'Create Account' }).click();
    if (!(await succeeds(page, 'Account created'))) failed.accounts += 1;
    await expect(accountDialog(page)).toHaveCount(0);
  }

  const mails = await instance.mails();
  const mailsTo = (email: string): number =>
    mails.filter((mail) => mail.to?.some((to) => to.address === email)).length;
  const sent = emails.map(mailsTo);
  const created = await Promise.all(
    names.map(async (name) => (await listRows(instance, 'accounts', `name=eq.${name}`)).length),
  );
  const repeated = (effects: readonly number[]): number => effects.filter((count) => count > 1).length;
  console.log(`| invitations | ${emails.length} | ${repeated(sent)} | ${failed.invitations} |`);
  console.log(`| accounts | ${names.length} | ${repeated(created)} | ${failed.accounts} |`);
  expect(line.cuts()).toBe(emails.length + names.length);
  expect([...sent, ...created]).toEqual([...emails, ...names].map(() => 1));
  await page.context().close();
  await line.close();
});
