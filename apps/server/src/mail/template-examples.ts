/** Renders every kind of email with sample data, for the preview in the local mailbox. */
import type { Config } from '../config/settings.ts';
import { renderEmail } from './render-email.ts';
import { emailKinds, noticeKinds, type EmailJob, type EmailKind } from './email-job.ts';
import type { TemplateExample } from './mailbox-pages.ts';
import { emailContent } from './email-content.ts';

const withoutLink = new Set<EmailKind>(['reauthentication', ...noticeKinds, 'test']);
const withCode = new Set(['confirmation', 'magic_link', 'email_change', 'reauthentication']);

export function templateExamples(config: Config): TemplateExample[] {
  const expiresAt = new Date('2030-01-02T15:04:00Z');
  return emailKinds.map((kind) => {
    const job: EmailJob = {
      kind,
      to: 'ann.lee@example.org',
      expiresAt,
      ...(withoutLink.has(kind) ? {} : { link: `${config.SITE_URL}/auth/callback` }),
      ...(withCode.has(kind) ? { code: '123456' } : {}),
      data: {
        fullName: 'Ann Lee',
        newEmail: 'ann@new.example.org',
        factor: 'Phone',
        provider: 'keycloak',
        actor: 'bo@example.org',
      },
    };
    const content = emailContent(job, { productName: config.PRODUCT_NAME, timeZone: 'UTC' });
    const { html, text } = renderEmail(content, job, config.PRODUCT_NAME);
    return { title: kind, subject: content.subject, html, text };
  });
}
