/**
 * Turns the words of a mail into HTML and plain text. The HTML is tables with inline styles, which
 * common mail programs agree on (Outlook draws with Word); it loads nothing from anywhere and follows
 * dark mode where a program knows it. Values are escaped by Hono's `html` tag.
 */
import { html, raw } from 'hono/html';
import { darkMode, styles } from './email-styles.ts';
import type { EmailJob } from './email-job.ts';
import type { EmailContent } from './email-content.ts';

type Fragment = ReturnType<typeof html>;

export interface RenderedEmail {
  readonly html: string;
  readonly text: string;
}

/** @param productName who sends, for the first and the last line. */
export function renderEmail(wording: EmailContent, job: EmailJob, productName: string): RenderedEmail {
  return { html: asHtml(wording, job, productName), text: asText(wording, job, productName) };
}

function asText(
  { heading, paragraphs, action, notes }: EmailContent,
  job: EmailJob,
  productName: string,
): string {
  return [
    heading,
    ...paragraphs,
    ...(action && job.link ? [`${action}:\n${job.link}`] : []),
    ...(job.code ? [`${codeLabel(job)}\n${job.code}`] : []),
    notes.join('\n'),
    `-- \nSent by ${productName}`,
  ].join('\n\n');
}

/** Lists of mails show the first words: what it is about and until when, never a code. */
function preview({ paragraphs, notes }: EmailContent): Fragment {
  const [, ...rest] = paragraphs;
  // The filler keeps the mail's own text out of the rest of that line.
  const filler = raw('&#847;&zwnj;&nbsp;'.repeat(40));
  return html`<div style="${styles.preview}">${[...rest, notes[0] ?? ''].join(' ')} ${filler}</div>`;
}

const table = raw('role="presentation" cellpadding="0" cellspacing="0" border="0"');

function button(label: string, link: string): Fragment {
  return html`<table ${table} style="margin:24px 0">
      <tr>
        <td class="button" align="center" bgcolor="#1f4068" style="${styles.button}">
          <a href="${link}" style="${styles.buttonText}">${label}</a>
        </td>
      </tr>
    </table>
    <p class="small" style="${styles.small}">If the button does not work, copy this address:</p>
    <p class="text" style="${styles.address}">${link}</p>`;
}

/** Beside a link the code is the second way, for pages that ask for one. */
const codeLabel = (job: EmailJob): string =>
  job.link ? 'Or type this code where you are asked for one:' : 'Your code:';

function codeBox(label: string, code: string): Fragment {
  return html`<p class="small" style="${styles.small}">${label}</p>
    <table ${table} width="100%" style="margin:0 0 24px">
      <tr>
        <td class="code" bgcolor="#edf1f5" style="${styles.code}">${code}</td>
      </tr>
    </table>`;
}

/** Word reads the conditional part: real pixels, and a font that every Windows has. */
function head(subject: string): Fragment {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <meta name="x-apple-disable-message-reformatting" />
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
    <title>${subject}</title>
    <!--[if mso]>
      <xml
        ><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office"
          ><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings
        ></xml
      >
      <style>
        p,
        td,
        a,
        h1 {
          font-family: 'Segoe UI', Arial, sans-serif !important;
        }
      </style>
    <![endif]-->
    <style>
      ${raw(darkMode)}
    </style>
  </head>`;
}

function content({ heading, paragraphs, action, notes }: EmailContent, job: EmailJob): Fragment {
  return html`<h1 class="text" style="${styles.heading}">${heading}</h1>
    ${paragraphs.map((paragraph) => html`<p class="text" style="${styles.body}">${paragraph}</p>`)}
    ${action && job.link ? button(action, job.link) : ''} ${job.code ? codeBox(codeLabel(job), job.code) : ''}
    <table ${table} width="100%" style="margin:8px 0 16px">
      <tr>
        <td class="rule" style="${styles.rule}">&nbsp;</td>
      </tr>
    </table>
    ${notes.map((note) => html`<p class="small" style="${styles.small}">${note}</p>`)}`;
}

/** Word knows no largest width, so it gets a table of a fixed one. */
const openForWord = raw(
  '<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
);
const closeForWord = raw('<!--[if mso]></td></tr></table><![endif]-->');

function asHtml(wording: EmailContent, job: EmailJob, productName: string): string {
  const page = html`<!doctype html>
    <html lang="en" dir="ltr">
      ${head(wording.subject)}
      <body class="page" style="${styles.page}">
        ${preview(wording)}
        <table ${table} width="100%" class="page" bgcolor="#f5f7f9" style="background:#f5f7f9">
          <tr>
            <td align="center" style="padding:32px 12px">
              ${openForWord}
              <table ${table} width="100%" class="card" bgcolor="#ffffff" style="${styles.card}">
                <tr>
                  <td align="left" class="side" bgcolor="#14243a" style="${styles.brand}">${productName}</td>
                </tr>
                <tr>
                  <td align="left" class="side" style="${styles.content}">${content(wording, job)}</td>
                </tr>
              </table>
              ${closeForWord}
              <p class="small" style="${styles.small};margin:16px 0 0">Sent by ${productName}</p>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
  return String(page);
}
