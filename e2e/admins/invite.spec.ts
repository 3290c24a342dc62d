/** The dialog *Invite New Administrator* and all results of a send or a resend. */
import type { Locator } from '@playwright/test';
import fc from 'fast-check';
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
  sessionWatch,
} from '../support/console-fixtures.ts';
import { dialog, fillInvitation, openAdmins, resend, rowFor, rows, table } from '../support/admins-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import { expectFieldError, isNoValidate, requestsTo, signInAgain } from '../support/forms.ts';
import { sessionIdOf, storageKey } from '../support/users.ts';
import { deleteRows, listRows, unique } from '../support/api.ts';

test.use({ as: 'administrator' });

const functionUrl = /\/functions\/v1\/send-user-invitation/;
const newAddress = (): string => `${unique('invitee')}@example.org`;
const recordsOf = (email: string): string => `select=id&email=eq.${encodeURIComponent(email)}`;

test(
  'sends an invitation and lists the row of the service',
  { tag: ['@C109', '@C110', '@C111', '@C256', '@C257', '@C263', '@C285', '@C302', '@I20'] },
  async ({ page, users, instance }) => {
    const email = newAddress();
    const { session } = await users.administrator();
    // The default sender name is the product name.
    await deleteRows(instance, 'notification_settings', 'id=not.is.null');
    await openAdmins(page);
    const form = await fillInvitation(page, '  Ash Cove ', ` ${email.toUpperCase()} `);
    await expect(form.locator('label')).toHaveText(['Full Name', 'Email']);
    const call = page.waitForRequest(functionUrl);
    await form.getByRole('button', { name: 'Send Invitation', exact: true }).click();
    const request = await call;
    expect(request.method()).toBe('POST');
    expect(new URL(request.url()).pathname).toBe('/functions/v1/send-user-invitation');
    expect(request.postDataJSON()).toEqual({ email, full_name: 'Ash Cove' });
    expect(sessionIdOf(request.headers()['authorization'] ?? '')).toBe(sessionIdOf(session.access_token));
    await expect(toastWith(page, 'Invitation sent!')).toContainText(
      `An invitation email has been sent to ${email}`,
    );
    await expect(dialog(page)).toHaveCount(0);
    await expect(rowFor(page, email)).toContainText('pending');
    const mail = await instance.mailTo(email);
    expect(mail.from?.name).toBe('Lanternrock');
    const [row] = await listRows(instance, 'user_invitations', `email=eq.${encodeURIComponent(email)}`);
    expect(new Date(String(row?.['expires_at'])).getTime()).toBeGreaterThan(Date.now());
  },
);

test('sends to the international domain that was typed, and shows the address before', async ({
  page,
  instance,
}) => {
  await openAdmins(page);
  const name = unique('max');
  const used = `${name}@xn--maanfertigung-cdb.example`;
  const form = await fillInvitation(page, 'Max Schneider', `\u202a${name}@ma\u00dfanfertigung.example\u202c`);
  await expect(form.getByRole('status')).toHaveText(`This address is used as ${used}.`);
  const call = page.waitForRequest(functionUrl);
  await form.getByRole('button', { name: 'Send Invitation', exact: true }).click();
  expect((await call).postDataJSON()).toMatchObject({ email: used });
  await expect(toastWith(page, 'Invitation sent!')).toContainText(used);
  await instance.mailTo(used);

  await fillInvitation(page, 'Max Schneider', `mailto:${used}`);
  await form.getByRole('button', { name: 'Send Invitation', exact: true }).click();
  await expect(form).toContainText('Invalid email address: remove "mailto:"');

  // The browser converts as the service does, or not at all.
  const letters = fc.constantFrom(
    ...Array.from(
      '\u00df\u1e9e\u03c2\u03a3\u00fc\u0130\u0131a\u044f\u4e2d\u0627\u05d0\u0e01\u0301\u0323\u200d-1',
    ),
  );
  const domains = fc.sample(
    fc.array(letters, { minLength: 1, maxLength: 10 }).map((parts) => `x${parts.join('')}x.example`),
    { numRuns: 500, seed: 46 },
  );
  const converted = await page.evaluate(
    (list) =>
      list.map((domain) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : null)),
    domains.map((domain) => domain.normalize('NFC').replaceAll('\u1e9e', '\u00df')),
  );
  for (const [index, domain] of domains.entries()) {
    const host = converted[index];
    const email = normalizeEmail(`a@${domain}`);
    if (host !== null && isEmail(email)) expect(email, JSON.stringify(domain)).toBe(`a@${host}`);
  }
});

test(
  'shows the pending state and sends one email for two submits',
  { tag: ['@C112', '@X05', '@I44'] },
  async ({ page, instance }) => {
    const email = newAddress();
    await openAdmins(page);
    const calls = requestsTo(page, functionUrl, 'POST');
    const { release } = await holdRequests(page, functionUrl);
    const form = await fillInvitation(page, 'Double Click', email);
    await form.getByRole('button', { name: 'Send Invitation' }).dblclick();
    await expect(form.getByRole('button', { name: 'Sending...', exact: true })).toBeDisabled();
    await form.getByLabel('Email').press('Enter');
    release();
    await expect(dialog(page)).toHaveCount(0);
    expect(calls).toHaveLength(1);
    expect(
      (await instance.mails()).filter((mail) => mail.to?.some((to) => to.address === email)),
    ).toHaveLength(1);
  },
);

test(
  'reloads the list after a send and after a resend, which sends the same fields',
  { tag: ['@C255', '@C258'] },
  async ({ page }) => {
    const email = newAddress();
    await openAdmins(page);
    const reads = requestsTo(page, /\/rest\/v1\/user_invitations/, 'GET');
    const form = await fillInvitation(page, 'Rio Tarn', email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    await expect(rowFor(page, email)).toBeVisible();
    expect(reads.length).toBeGreaterThan(0);
    const afterSend = reads.length;
    const call = page.waitForRequest(functionUrl);
    await resend(page, email).click();
    expect((await call).postDataJSON()).toEqual({ email, full_name: 'Rio Tarn' });
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    await expect.poll(() => reads.length).toBeGreaterThan(afterSend);
  },
);

test('shows errors at the email and name fields', { tag: ['@C216', '@C217', '@C221'] }, async ({ page }) => {
  await openAdmins(page);
  const calls = requestsTo(page, functionUrl);
  const form = await fillInvitation(page, 'A', 'abc');
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  await expectFieldError(form.getByLabel('Email'), 'Invalid email address');
  await expectFieldError(form.getByLabel('Full Name'), 'Full name must be at least 2 characters');
  await expect(form.getByLabel('Full Name')).toBeFocused();
  await form.getByLabel('Full Name').fill('   ');
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  await expectFieldError(form.getByLabel('Full Name'), 'Full name must be at least 2 characters');
  await form.getByLabel('Full Name').fill('Bo');
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(form.getByText('Full name must be at least 2 characters')).toHaveCount(0);
  expect(await isNoValidate(form.getByLabel('Email'))).toBe(true);
  expect(calls).toHaveLength(0);
});

test(
  'sends nothing without a session and continues after a sign-in',
  { tag: ['@C283', '@C295', '@X06', '@I28'] },
  async ({ page, instance }) => {
    const email = newAddress();
    // Without a session, it would open the sign-in dialog before the click.
    await holdRequests(page, sessionWatch);
    await openAdmins(page);
    const calls = requestsTo(page, functionUrl);
    const form = await fillInvitation(page, 'Casey North', email);
    const reads = requestsTo(page, /\/rest\/v1\//);
    await page.evaluate((key) => localStorage.removeItem(key), storageKey(instance));
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    const failure = toastWith(page, 'Failed to send invitation');
    await expect(failure).toContainText('Not authenticated');
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
    expect(calls).toHaveLength(0);
    expect(reads).toHaveLength(0);
    expect(await listRows(instance, 'user_invitations', recordsOf(email))).toEqual([]);

    await signInAgain(page);
    await expect(form.getByLabel('Full Name')).toHaveValue('Casey North');
    await expect(form.getByLabel('Email')).toHaveValue(email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    await expect(rowFor(page, email)).toContainText('pending');
    expect(calls).toHaveLength(1);
  },
);

test(
  'shows the reason of a rejected invitation and keeps the input',
  { tag: ['@C284', '@C295', '@X06'] },
  async ({ page, users, expectMessage }) => {
    expectMessage(failedLoad(409));
    expectMessage(failedLoad(422));
    const { email } = await users.create();
    await openAdmins(page);
    const form = await fillInvitation(page, 'Already Admin', email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    const failure = toastWith(page, 'Failed to send invitation');
    await expect(failure).toContainText(/already/i);
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await expect(form.getByLabel('Email')).toHaveValue(email);
  },
);

const response = (success: boolean) => ({
  success,
  invitation_id: '00000000-0000-4000-8000-000000000000',
  expires_at: '2031-01-01T00:00:00Z',
});

test(
  'shows that the user exists if the email was not sent',
  { tag: ['@C259', '@C286'] },
  async ({ page }) => {
    await respondWith(page, functionUrl, 200, response(false));
    await openAdmins(page);
    const form = await fillInvitation(page, 'No Mail', newAddress());
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    const toast = toastWith(page, 'User Created Successfully');
    await expect(toast).toContainText(/email could not be sent/i);
    await expect(toast).toContainText(/domain.*verif/i);
    await expect(dialog(page)).toHaveCount(0);
  },
);

test(
  'shows that the invitation exists if a resent email was not sent',
  { tag: ['@C259', '@C289', '@C295'] },
  async ({ page, users }) => {
    const email = newAddress();
    await users.invite(email, 'No Second Mail');
    await openAdmins(page);
    await respondWith(page, functionUrl, 200, response(false));
    await resend(page, email).click();
    const toast = toastWith(page, 'Email Not Sent');
    await expect(toast).toContainText("The invitation exists but email couldn't be sent.");
    await expect(toast).toContainText(/domain.*verif/i);
  },
);

test('reports an email that another request is still sending as neither sent nor failed', async ({
  page,
  users,
}) => {
  const email = newAddress();
  await users.invite(email, 'Still Sending');
  await openAdmins(page);
  await respondWith(page, functionUrl, 200, { ...response(false), delivery: 'sending' });
  await resend(page, email).click();
  const toast = toastWith(page, 'Email being sent');
  await expect(toast).toContainText('Another request is sending this email.');
  await expect(toast).not.toContainText(/domain/);
});

test(
  'shows the reason of a rejected resend',
  { tag: ['@C259', '@C287', '@C295'] },
  async ({ page, users, expectMessage }) => {
    expectMessage(failedLoad(429));
    const email = newAddress();
    await users.invite(email, 'Too Soon');
    await openAdmins(page);
    await resend(page, email).click();
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    // The cooldown of the resend has just started.
    await expect(resend(page, email)).toBeEnabled();
    await resend(page, email).click();
    const failure = toastWith(page, 'Failed to resend invitation');
    await expect(failure).toContainText(/\d+ second/);
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
  },
);

for (const [kind, pattern] of [
  ['relay error', /relay/i],
  ['not sent', /failed to send|cannot be reached/i],
  ['rejected', /non-2xx/i],
] as const) {
  test(
    `shows a specific error for a function call that is ${kind}`,
    { tag: ['@C259', '@C297'] },
    async ({ page, expectMessage }) => {
      expectMessage(/Failed to load resource/);
      await openAdmins(page);
      await page.route(functionUrl, (route) => {
        if (kind === 'not sent') return route.abort('failed');
        if (kind === 'rejected') return route.fulfill({ status: 500, body: 'no JSON' });
        return route.fulfill({ status: 502, headers: { 'x-relay-error': 'true' }, body: 'relay' });
      });
      const form = await fillInvitation(page, 'Broken Line', newAddress());
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(toastWith(page, 'Failed to send invitation')).toContainText(pattern);
    },
  );
}

test(
  'keeps one row and sends another email for a second invitation',
  { tag: '@C006' },
  async ({ page, users, instance }) => {
    const email = newAddress();
    await users.invite(email, 'First Name');
    await openAdmins(page);
    const form = await fillInvitation(page, 'First Name', email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    await expect(toastWith(page, 'Invitation sent!')).toBeVisible();
    await instance.mailTo(email, 1);
    expect(await listRows(instance, 'user_invitations', recordsOf(email))).toHaveLength(1);
  },
);

test('resends another invitation from the panel while a resend is running', async ({ page, users }) => {
  const [first, second] = [newAddress(), newAddress()];
  await users.invite(first, 'Fran First');
  await users.invite(second, 'Sam Second');
  await openAdmins(page);
  const calls = requestsTo(page, functionUrl, 'POST');
  const { release } = await holdRequests(page, functionUrl);
  const resendButton = (panel: Locator) => panel.getByRole('button', { name: 'Resend', exact: true });
  await resendButton(await openPanel(page, first, 'Fran First')).click();
  await resendButton(await openPanel(page, second, 'Sam Second')).click();
  await expect
    .poll(() => calls.map((call) => (call.postDataJSON() as { email: string }).email))
    .toEqual([first, second]);
  release();
  await expect(toastWith(page, 'Email resent!')).toHaveCount(2);
});

test('sorts the invitations by a header, also after a reload', async ({ page, users }) => {
  const id = unique('order');
  for (const name of ['Bea', 'Ada', 'Cy'])
    await users.invite(`${name.toLowerCase()}-${id}@example.org`, name);
  await page.goto(`/admin/platform-admins?q=${id}`);
  const names = rows(page).getByRole('link');
  await expect(names).toHaveText(['Cy', 'Ada', 'Bea']);
  const header = table(page).getByRole('columnheader', { name: 'Name', exact: true });
  await header.getByRole('button').click();
  await expect(names).toHaveText(['Ada', 'Bea', 'Cy']);
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await page.reload();
  await expect(names).toHaveText(['Ada', 'Bea', 'Cy']);
  await header.getByRole('button').press('Enter');
  await expect(names).toHaveText(['Cy', 'Bea', 'Ada']);
});
