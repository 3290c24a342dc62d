import { expect, it } from 'vitest';
import { buildEmailContent } from './email-content.ts';
import type { EmailJob } from './email-job.ts';
import { renderEmail } from './render-email.ts';

it.each([
  [
    'removed',
    'bo@example.org removed kim@example.org as an administrator of Lanternrock.',
    '/admin/platform-admins',
  ],
  ['restored', 'bo@example.org restored kim@example.org as an administrator', '/admin/platform-admins'],
  [
    'end_changed',
    'bo@example.org removed the end of the role of kim@example.org as an administrator of Lanternrock.',
    '/admin/platform-admins',
  ],
  ['own_end_changed', 'bo@example.org removed the end of your role as an administrator', '/auth'],
  ['own_removed', 'bo@example.org removed you as an administrator of Lanternrock.', null],
  ['own_restored', 'bo@example.org restored you as an administrator of Lanternrock.', '/auth'],
  [
    'factor_required',
    'bo@example.org requires a second factor of all administrators of Lanternrock from Saturday, 5 December 2026 at 12:00 UTC.',
    '/admin/me/security',
  ],
  [
    'factor_not_required',
    'bo@example.org removed the requirement of a second factor',
    '/admin/platform-admins',
  ],
] as const)('says what happened and leads to the right page after %s', async (event, sentence, path) => {
  const job: EmailJob = {
    kind: 'administrator_changed',
    to: 'ann@example.net',
    data: {
      event,
      user: event.startsWith('factor') ? '' : 'kim@example.org',
      actor: 'bo@example.org',
      ...(event === 'factor_required' && { dueAt: '2026-12-05T12:00:00Z' }),
    },
  };
  const siteUrl = 'https://console.example.org';
  const content = buildEmailContent(job, { productName: 'Lanternrock', siteUrl, timeZone: 'UTC' });
  expect(content.paragraphs).toContainEqual(expect.stringContaining(sentence));
  expect(content.link).toBe(path === null ? undefined : `${siteUrl}${path}`);
  const { html } = renderEmail(content, job, { productName: 'Lanternrock' });
  expect(html.match(/href=/g) ?? []).toHaveLength(path === null ? 0 : 1);
});

it.each([
  [
    'end_changed',
    'bo@example.org changed the role of kim@example.org as an administrator of Lanternrock. It ends on Saturday, 5 December 2026 at 12:00 UTC.',
  ],
  [
    'own_end_changed',
    'bo@example.org changed your role as an administrator of Lanternrock. It ends on Saturday, 5 December 2026 at 12:00 UTC.',
  ],
  [
    'restored',
    'bo@example.org restored kim@example.org as an administrator of Lanternrock. The role ended on Saturday, 5 December 2026 at 12:00 UTC, so it gives no rights.',
  ],
  [
    'own_restored',
    'bo@example.org restored you as an administrator of Lanternrock. The role ended on Saturday, 5 December 2026 at 12:00 UTC, so it gives no rights.',
  ],
] as const)('names the end after %s', (event, sentence) => {
  const data = { event, user: 'kim@example.org', actor: 'bo@example.org', endsAt: '2026-12-05T12:00:00Z' };
  const job: EmailJob = { kind: 'administrator_changed', to: 'ann@example.net', data };
  const context = { productName: 'Lanternrock', siteUrl: 'https://console.example.org', timeZone: 'UTC' };
  const { paragraphs, advice } = buildEmailContent(job, context);
  expect(paragraphs.map((text) => text.replaceAll('\u2060', ''))).toContain(sentence);
  expect(advice).not.toContain('revoke an invitation');
});
