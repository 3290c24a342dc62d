/** List of invitations on the Admins screen. Uses Postgres, so that SQL can create any state. */
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { openAdmins, resend, rowFor, rows, table } from '../support/admins-page.ts';
import { requestsTo } from '../support/forms.ts';
import { unique } from '../support/api.ts';

test.use({ external: true, as: 'administrator' });

interface Seeded {
  readonly name: string;
  readonly email: string;
  readonly status: string;
  readonly invitedAt: string;
  readonly expiresAt: string;
}

const insert = `insert into public.user_invitations (full_name, email, status, invited_at, expires_at)
  values ($1, $2, $3, $4, $5)`;

/** Inserts one invitation in each state, with creation times in no other order. */
function seeds(): Seeded[] {
  const word = unique('seed');
  const of = (status: string, invitedAt: string, expiresAt: string): Seeded => ({
    name: `${status} ${word}`,
    email: `${word}.${status}@example.org`,
    status,
    invitedAt,
    expiresAt,
  });
  return [
    of('accepted', '2031-03-02T10:00:00Z', '2031-03-09T10:00:00Z'),
    of('expired', '2031-03-05T10:00:00Z', '2021-03-12T10:00:00Z'),
    of('pending', '2031-03-01T10:00:00Z', '2099-03-08T10:00:00Z'),
    of('weird', '2031-03-04T10:00:00Z', '2099-03-11T10:00:00Z'),
    of('revoked', '2031-03-03T10:00:00Z', '2099-03-10T10:00:00Z'),
  ];
}

const put = async (
  sql: (text: string, values?: unknown[]) => Promise<unknown>,
  all: Seeded[],
): Promise<void> => {
  for (const { name, email, status, invitedAt, expiresAt } of all) {
    await sql(insert, [name, email, status, invitedAt, expiresAt]);
  }
};

test(
  'shows title, columns, badges and Resend',
  { tag: ['@C108', '@C113', '@C118', '@C192', '@C193', '@C194', '@C195', '@C196', '@I43'] },
  async ({ page, sql }) => {
    const all = seeds();
    await put(sql, all);
    await openAdmins(page);
    const heads = table(page).getByRole('columnheader');
    await expect(heads).toHaveCount(7);
    expect((await heads.allInnerTexts()).slice(1, 6)).toEqual([
      'Name',
      'Email',
      'Invited At',
      'Status',
      'Expires At',
    ]);
    await expect(heads.first().getByRole('checkbox')).toBeVisible();
    const variants = { accepted: 'default', expired: 'destructive' } as Record<string, string>;
    for (const { email, status } of all) {
      const badge = rowFor(page, email)
        .locator('[data-variant]')
        // The email is repeated below the name for narrow windows.
        .filter({ hasText: new RegExp(`^${status}$`), visible: true });
      await expect(badge).toHaveAttribute('data-variant', variants[status] ?? 'secondary');
      if (status === 'accepted') await expect(resend(page, email)).toBeDisabled();
      else await expect(resend(page, email)).toBeEnabled();
    }
  },
);

test(
  'shows the dates of the row, newest first',
  { tag: ['@C117', '@C167', '@I2'] },
  async ({ page, sql }) => {
    const all = seeds();
    await put(sql, all);
    await openAdmins(page);
    const order = [...all].sort((a, b) => b.invitedAt.localeCompare(a.invitedAt)).map(({ email }) => email);
    const texts = await rows(page).allInnerTexts();
    const shown = texts
      .map((text) => order.find((email) => text.includes(email)))
      .filter((email) => email !== undefined);
    expect(shown).toEqual(order);
    for (const { email, invitedAt, expiresAt } of all) {
      const times = await rowFor(page, email)
        .locator('time')
        .evaluateAll((found) =>
          found.map((time) => new Date(time.getAttribute('datetime') ?? '').toISOString()),
        );
      expect(times).toEqual([new Date(invitedAt).toISOString(), new Date(expiresAt).toISOString()]);
    }
    await expect(
      rowFor(page, all[0]?.email ?? '')
        .locator('time')
        .first(),
    ).toContainText('2031');
  },
);

test(
  'selects rows by checkbox without an action',
  { tag: ['@C114', '@C115', '@C116'] },
  async ({ page, sql }) => {
    const all = seeds();
    await put(sql, all);
    // The request of the notice about the second factor is the last one of the load.
    const notice = page.waitForResponse(/\/functions\/v1\/second-factor-requirement/);
    await openAdmins(page);
    await notice;
    const every = table(page).getByRole('columnheader').getByRole('checkbox');
    const boxes = rows(page).getByRole('checkbox');
    const count = await boxes.count();
    const buttons = await page.getByRole('button').count();
    const address = page.url();
    // The long poll of the session watch starts 5 s after the page has loaded.
    const requests = requestsTo(page, /\/(rest|auth|functions)\/v1\/(?!session-watch)/);
    await every.click();
    for (let index = 0; index < count; index += 1) await expect(boxes.nth(index)).toBeChecked();
    await every.click();
    for (let index = 0; index < count; index += 1) await expect(boxes.nth(index)).not.toBeChecked();
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await expect(boxes.nth(1)).not.toBeChecked();
    expect(await every.evaluate((box: HTMLInputElement) => box.indeterminate || !box.checked)).toBe(true);
    await boxes.nth(0).uncheck();
    await expect(boxes.nth(2)).toBeChecked();
    expect(await page.getByRole('button').count()).toBe(buttons);
    expect(page.url()).toBe(address);
    expect(requests.map((request) => request.url())).toEqual([]);
  },
);

test('shows the empty state without invitations', { tag: '@C119' }, async ({ page, sql, users }) => {
  await users.administrator();
  await sql('delete from private.invitations');
  await openAdmins(page);
  await expect(page.getByText('No invitations sent yet', { exact: true })).toBeVisible();
});

test(
  'resends pending and expired invitations: one row, another email',
  { tag: ['@C006', '@C196', '@C288'] },
  async ({ page, users, instance, sql }) => {
    const email = `${unique('again')}@example.org`;
    await users.invite(email, 'Toni Reef');
    const [before] = await sql('select id, invited_at from private.invitations where email = $1', [email]);
    await openAdmins(page);
    await resend(page, email).click();
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    await instance.mailTo(email, 1);
    await toastWith(page, 'Email resent!').getByRole('button', { name: 'Dismiss notification' }).click();
    // After its expiry and after the cooldown of the resend.
    await sql(
      `update private.invitations set expires_at = now() - interval '1 day', last_sent_at = now() - interval '1 day'
     where email = $1`,
      [email],
    );
    await openAdmins(page);
    await expect(
      rowFor(page, email).getByText('expired', { exact: true }).filter({ visible: true }),
    ).toBeVisible();
    await resend(page, email).click();
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    await instance.mailTo(email, 2);
    await expect(
      rowFor(page, email).getByText('pending', { exact: true }).filter({ visible: true }),
    ).toBeVisible();
    const records = await sql('select id, invited_at from private.invitations where email = $1', [email]);
    expect(records.map(({ id }) => id)).toEqual([before?.['id']]);
  },
);

test('shows the pending state per Resend button', { tag: '@C112' }, async ({ page, users }) => {
  const [one, two] = [`${unique('busy')}@example.org`, `${unique('idle')}@example.org`];
  await users.invite(one, 'Busy One');
  await users.invite(two, 'Idle Two');
  await openAdmins(page);
  const { release } = await holdRequests(page, /send-user-invitation/);
  await resend(page, one).click();
  await expect(rowFor(page, one).getByRole('button', { name: 'Sending...' })).toBeDisabled();
  for (const width of [1280, 820, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const cell = rowFor(page, one).getByRole('cell').last();
    const overflow = await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(overflow, `pending button at ${width} px`).toBe(0);
  }
  await expect(resend(page, two)).toBeEnabled();
  release();
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  await expect(resend(page, one)).toBeEnabled();
});

test('opens the panel of a row as URL state', { tag: ['@C097', '@C117'] }, async ({ page, users }) => {
  const email = `${unique('panel')}@example.org`;
  await users.invite(email, 'Lou Skerry');
  await openAdmins(page);
  await rowFor(page, email).getByRole('cell').nth(2).click();
  const side = page.getByRole('dialog', { name: 'Lou Skerry' });
  await expect(side.getByText(email)).toBeVisible();
  await expect(side.getByText('pending', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/invitation=/);
  await page.reload();
  await expect(side).toBeVisible();
});

for (const [width, height] of [
  [1280, 800],
  [820, 1180],
  [375, 812],
] as const) {
  test(`keeps the header of 120 invitations in view at ${width} px`, async ({ page, sql }) => {
    await sql('delete from private.invitations');
    await sql(`insert into public.user_invitations (full_name, email, status, invited_at, expires_at)
      select 'Sticky ' || n, 'sticky-' || n || '@example.org', 'pending', now(), now() + interval '7 days'
      from generate_series(1, 120) n`);
    await page.setViewportSize({ width, height });
    await openAdmins(page);
    await expect(rows(page)).toHaveCount(120);
    await rows(page).last().scrollIntoViewIfNeeded();
    await expect(rows(page).last()).toBeInViewport({ ratio: 1 });
    await expect(table(page).getByRole('columnheader', { name: 'Name', exact: true })).toBeInViewport({
      ratio: 1,
    });
  });
}
