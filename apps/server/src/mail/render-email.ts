/**
 * Renders the content of an email to HTML and plain text. The HTML uses tables and inline styles, which all common mail
 * programs support (Outlook renders with Word), and loads no external resource. Hono's `html` tag escapes all values.
 */
import { html, raw } from 'hono/html';
import { darkMode, styles } from './email-styles.ts';
import type { EmailContent, EmailJob } from './email-job.ts';

type Fragment = ReturnType<typeof html>;

interface RenderedEmail {
  readonly html: string;
  readonly text: string;
}

interface Names {
  /** In the header and the footer. */
  readonly productName: string;
  /** The name of the sender, if it is another one. */
  readonly senderName?: string;
}

export function renderEmail(content: EmailContent, job: EmailJob, names: Names): RenderedEmail {
  return { html: renderHtml(content, job, names), text: renderText(content, job, names) };
}

const footer = ({ productName, senderName = productName }: Names): string =>
  senderName === productName ? `Sent by ${productName}` : `Sent by ${senderName} with ${productName}`;

function renderText(
  { heading, paragraphs, details = [], advice, quote, action, link, notes }: EmailContent,
  job: EmailJob,
  names: Names,
): string {
  const target = link ?? job.link;
  return [
    heading,
    ...paragraphs,
    ...(details.length > 0 ? [details.join('\n')] : []),
    ...(advice ? [advice] : []),
    ...(quote ? [[quote.title, ...quote.lines.map((line) => `> ${line}`.trimEnd())].join('\n')] : []),
    ...(action && target ? [`${action}:\n${target}`] : []),
    ...(job.code ? [`${codeLabel(job)}\n${job.code}`] : []),
    notes.join('\n'),
    `-- \n${footer(names)}`,
  ].join('\n\n');
}

/** Renders the preview text that message lists show: the purpose and the expiry, never a code. */
function preview({ paragraphs, notes }: EmailContent): Fragment {
  const [, ...rest] = paragraphs;
  // The filler prevents the body from appearing after the preview text.
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
    <p class="small" style="${styles.small}">
      If the button does not work, copy this link into your browser:
    </p>
    <p class="text" style="${styles.address}">${link}</p>`;
}

function codeLabel(job: EmailJob): string {
  // The console accepts no code of an invitation; other clients of the Auth API can.
  if (job.kind === 'invitation' || job.kind === 'member_invitation') return 'If you are asked for a code:';
  return job.link ? 'Or enter this code:' : 'Your code:';
}

function renderCodeBox(label: string, code: string): Fragment {
  return html`<p class="small" style="${styles.small}">${label}</p>
    <table ${table} width="100%" style="margin:0 0 24px">
      <tr>
        <td class="code" bgcolor="#edf1f5" style="${styles.code}">${code}</td>
      </tr>
    </table>`;
}

/**
 * Renders the head. Word reads the conditional part: a resolution of 96 DPI and a font that all Windows versions have.
 */
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

/** The note keeps its line breaks; `dir="auto"` lets a note in another script read in its direction. */
function quoteBlock({ title, lines }: NonNullable<EmailContent['quote']>): Fragment {
  const paragraph = (line: string): Fragment =>
    html`<p class="text" dir="auto" style="${styles.quote}">${line === '' ? raw('&nbsp;') : line}</p>`;
  return html`<p class="small" style="${styles.small}">${title}</p>
    <table ${table} width="100%" style="margin:0 0 16px">
      <tr>
        <td class="rule" style="${styles.quoteCell}">${lines.map(paragraph)}</td>
      </tr>
    </table>`;
}

/** One paragraph, because screen readers announce each paragraph separately. */
const detailLines = (lines: readonly string[]): Fragment =>
  html`<p class="text" style="${styles.body}">
    ${lines.map((line, index) => html`${index > 0 ? raw('<br />') : ''}${line}`)}
  </p>`;

function body(content: EmailContent, job: EmailJob): Fragment {
  const { heading, paragraphs, details = [], advice, quote, action, link, notes } = content;
  const target = link ?? job.link;
  return html`<h1 class="text" style="${styles.heading}">${heading}</h1>
    ${paragraphs.map((paragraph) => html`<p class="text" style="${styles.body}">${paragraph}</p>`)}
    ${details.length > 0 ? detailLines(details) : ''}
    ${advice ? html`<p class="text" style="${styles.body}">${advice}</p>` : ''}
    ${quote ? quoteBlock(quote) : ''} ${action && target ? button(action, target) : ''}
    ${job.code ? renderCodeBox(codeLabel(job), job.code) : ''}
    <table ${table} width="100%" style="margin:8px 0 16px">
      <tr>
        <td class="rule" style="${styles.rule}">&nbsp;</td>
      </tr>
    </table>
    ${notes.map((note) => html`<p class="small" style="${styles.small}">${note}</p>`)}`;
}

/** Word does not support `max-width`, so it gets a table with a fixed width. */
const openForWord = raw(
  '<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
);
const closeForWord = raw('<!--[if mso]></td></tr></table><![endif]-->');

function renderHtml(content: EmailContent, job: EmailJob, names: Names): string {
  const page = html`<!doctype html>
    <html lang="en" dir="ltr">
      ${head(content.subject)}
      <body class="page" style="${styles.page}">
        ${preview(content)}
        <table ${table} width="100%" class="page" bgcolor="#f5f7f9" style="background:#f5f7f9">
          <tr>
            <td align="center" style="padding:32px 12px">
              ${openForWord}
              <table ${table} width="100%" class="card" bgcolor="#ffffff" style="${styles.card}">
                <tr>
                  <td align="left" class="side" bgcolor="#14243a" style="${styles.brand}">
                    ${names.productName}
                  </td>
                </tr>
                <tr>
                  <td align="left" class="side" style="${styles.content}">${body(content, job)}</td>
                </tr>
              </table>
              ${closeForWord}
              <p class="small" style="${styles.small};margin:16px 0 0">${footer(names)}</p>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
  return String(page);
}
