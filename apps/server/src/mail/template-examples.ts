/** Renders every kind of email with sample data, for the preview in the local mailbox. */
import type { Config } from '../config/settings.ts';
import { renderEmail } from './render-email.ts';
import { emailKinds, noticeKinds, type EmailJob, type EmailKind } from './email-job.ts';
import type { TemplateExample } from './mailbox-pages.ts';
import { buildEmailContent } from './email-content.ts';

const withoutLink = new Set<EmailKind>([
  'reauthentication',
  ...noticeKinds,
  'audit_head',
  'backup_problem',
  'test',
]);
const withCode = new Set(['confirmation', 'magic_link', 'email_change', 'reauthentication']);

export function templateExamples(config: Config): TemplateExample[] {
  const expiresAt = new Date('2030-01-02T15:04:00Z');
  return emailKinds.map((kind) => {
    const job = {
      kind,
      to: 'ann.lee@example.org',
      invitationId: '6f1ed002-ab55-4e23-9a4e-6d7d9a1d8a11',
      expiresAt,
      ...(withoutLink.has(kind) ? {} : { link: `${config.SITE_URL}/auth/callback` }),
      ...(withCode.has(kind) ? { code: '123456' } : {}),
      data: {
        fullName: 'Ann Lee',
        inviter: 'Bo Ek',
        account: 'Harbor Patrol',
        endsAt: '2027-07-01T18:00:00.000Z',
        note: 'Hello Ann,\nplease sign in before Friday.\n\nYour region is the harbor.',
        newEmail: 'ann@new.example.org',
        factor: 'Phone',
        provider: 'keycloak',
        actor: 'bo@example.org',
        event: kind === 'administrator_changed' ? 'removed' : 'invited',
        user: 'kim@example.org',
        at: '2030-01-02T14:58:00Z',
        position: '1204',
        hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        problem: '',
        lastAt: '2030-01-01T03:00:00Z',
        source: 'client',
        network: '203.0.113.0/24',
        userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0',
      },
    } as EmailJob;
    const content = buildEmailContent(job, {
      productName: config.PRODUCT_NAME,
      siteUrl: config.SITE_URL,
      timeZone: 'UTC',
    });
    const { html, text } = renderEmail(content, job, { productName: config.PRODUCT_NAME });
    return { title: kind, subject: content.subject, html, text };
  });
}
