/**
 * Turns the words of a mail into HTML and plain text. The HTML is a table with inline styles, which
 * common mail programs agree on; it loads nothing from anywhere and follows dark mode where a
 * program knows it. Values are escaped by Hono's `html` tag.
 */
import { html, raw } from 'hono/html';
import type { MailJob } from './mail-job.ts';
import type { Wording } from './wording.ts';

type Fragment = ReturnType<typeof html>;

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const body = `${font};font-size:16px;line-height:24px;color:#1f2937;margin:0 0 16px`;
const headline = `${font};font-size:22px;line-height:30px;font-weight:600;color:#111827;margin:0 0 20px`;
const small = `${font};font-size:13px;line-height:20px;color:#4b5563;margin:0 0 8px`;

// Programs that know dark mode take these; the inline colours are readable where they do not.
const darkMode = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #111827 !important; }
    .card { background: #1f2937 !important; border-color: #374151 !important; }
    .text { color: #f3f4f6 !important; }
    .small { color: #d1d5db !important; }
    .code { background: #111827 !important; color: #f9fafb !important; }
  }`;

export interface LaidOut {
  readonly html: string;
  readonly text: string;
}

/** @param footer who sends, for the last line. */
export function layOut(wording: Wording, job: MailJob, footer: string): LaidOut {
  return { html: asHtml(wording, job, footer), text: asText(wording, job, footer) };
}

function asText({ heading, paragraphs, action, notes }: Wording, job: MailJob, footer: string): string {
  return [
    heading,
    ...paragraphs,
    ...(action && job.link ? [`${action}:\n${job.link}`] : []),
    ...(job.code ? [`${codeLabel(job)}\n${job.code}`] : []),
    notes.join('\n'),
    `-- \n${footer}`,
  ].join('\n\n');
}

function button(label: string, link: string): Fragment {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
    <tr>
      <td bgcolor="#1d4ed8" style="border-radius:6px;background:#1d4ed8">
        <a
          href="${link}"
          style="${font};display:inline-block;padding:12px 24px;font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none"
          >${label}</a
        >
      </td>
    </tr>
  </table>`;
}

/** Beside a link the code is the second way, for pages that ask for one. */
const codeLabel = (job: MailJob): string =>
  job.link ? 'Or type this code where you are asked for one:' : 'Your code:';

function codeBox(label: string, code: string): Fragment {
  return html`<p class="small" style="${small}">${label}</p>
    <p
      class="code"
      style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;line-height:36px;letter-spacing:4px;font-weight:600;color:#111827;background:#f3f4f6;border-radius:6px;padding:12px 16px;margin:8px 0 24px;text-align:center"
    >
      ${code}
    </p>`;
}

function head(subject: string): Fragment {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
    <title>${subject}</title>
    <style>
      ${darkMode}
    </style>
  </head>`;
}

function content({ heading, paragraphs, action, notes }: Wording, job: MailJob): Fragment {
  return html`<h1 class="text" style="${headline}">${heading}</h1>
    ${paragraphs.map((paragraph) => html`<p class="text" style="${body}">${paragraph}</p>`)}
    ${action && job.link ? button(action, job.link) : ''} ${job.code ? codeBox(codeLabel(job), job.code) : ''}
    ${notes.map((note) => html`<p class="small" style="${small}">${note}</p>`)}`;
}

const table = 'width="100%" cellpadding="0" cellspacing="0" border="0"';
const cardStyle = 'max-width:560px;background:#ffffff;border:1px solid #e5e7eb;border-radius:8px';

function asHtml(wording: Wording, job: MailJob, footer: string): string {
  const page = html`<!doctype html>
    <html lang="en">
      ${head(wording.subject)}
      <body class="page" style="margin:0;padding:0;background:#f3f4f6">
        <table role="presentation" class="page" ${raw(table)} style="background:#f3f4f6">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table role="presentation" class="card" ${raw(table)} style="${cardStyle}">
                <tr>
                  <td align="left" style="padding:32px 28px 24px">${content(wording, job)}</td>
                </tr>
              </table>
              <p class="small" style="${small};margin-top:16px">${footer}</p>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
  return String(page);
}
