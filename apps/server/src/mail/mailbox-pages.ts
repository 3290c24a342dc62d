/** HTML pages of the local mailbox: list, message and templates. Hono's `html` tag escapes all values. */
import { formatCount } from '@lanternrock/contract/format-count';
import { html } from 'hono/html';
import type { Email } from 'postal-mime';
import { maxMessages } from './mailbox.ts';

type Page = ReturnType<typeof html>;

export interface MailboxMessage {
  readonly name: string;
  readonly mail: Email;
}

const when = (mail: Email): Page =>
  mail.date
    ? html`<time datetime="${mail.date}">${mail.date.replace('T', ' ').replace('.000Z', ' UTC')}</time>`
    : html``;

const recipients = (mail: Email): string => (mail.to ?? []).map((to) => to.address ?? '').join(', ');

const sender = (mail: Email): string => `${mail.from?.name ?? ''} <${mail.from?.address ?? ''}>`.trim();

function frame(product: string, title: string, body: Page): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - ${product} mailbox</title>
        <link rel="stylesheet" href="/mailbox/style.css" />
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** Says how to find the mailbox link, to a browser that has not opened the current one. */
export function renderLinkNeeded(product: string): Page {
  return frame(
    product,
    'Open the mailbox link',
    html`<header>
        <nav><a href="/auth">${product}</a></nav>
        <h1>Open the mailbox link</h1>
        <p class="dim">
          The emails contain sign-in links. Only a browser that opened the current mailbox link can read them.
        </p>
      </header>
      <main>
        <p>
          Every start of the service prints a new mailbox link on its terminal. Without a terminal, the
          service writes the link to a file, and this command names the file:
        </p>
        <pre class="card">lanternrock status</pre>
        <p>In a checkout, run this instead:</p>
        <pre class="card">npm run -s lanternrock -- status</pre>
        <p class="dim">If you do not operate the service, ask its operator for the email.</p>
      </main>`,
  );
}

/** @param total number of saved emails; the newest ones are shown */
export function renderList(product: string, mails: readonly MailboxMessage[], total: number): Page {
  const rows = mails.map(
    ({ name, mail }) =>
      html`<li class="card">
        <a href="/mailbox/${name}"
          ><strong>${mail.subject ?? '(no subject)'}</strong> <span>To ${recipients(mail)}</span
          ><span class="dim">${when(mail)}</span></a
        >
      </li>`,
  );
  return frame(
    product,
    'Captured emails',
    html`<header>
        <h1>Captured emails</h1>
        <p class="dim">
          SMTP_URL is not set, so ${product} saves emails here and does not send them. Only a browser that
          opened the current mailbox link can see this page. The link changes at every start of the service.
        </p>
        ${
          total > mails.length
            ? html`<p class="dim">
                Showing the newest ${formatCount(mails.length)} of ${formatCount(total)} emails. At most
                ${formatCount(maxMessages)} are kept.
              </p>`
            : ''
        }
        <nav>
          <a href="/mailbox">Reload</a><a href="/mailbox/templates">Templates</a
          ><a href="/auth">${product}</a>
        </nav>
      </header>
      <main>
        ${
          rows.length === 0
            ? html`<p class="card">No emails yet.</p>`
            : html`<ul class="mails">
                ${rows}
              </ul>`
        }
      </main>`,
  );
}

/**
 * Renders one message. The HTML of the email is shown in a sandboxed frame that can only open links in a new tab.
 *
 * @param links URLs found in the plain text
 */
export function renderMessage(
  product: string,
  { name, mail }: MailboxMessage,
  links: readonly string[],
): Page {
  const framed = `<base target="_blank">${mail.html ?? ''}`;
  return frame(
    product,
    mail.subject ?? 'Email',
    html`<header>
        <nav><a href="/mailbox">Mailbox</a><a href="/mailbox/${name}/raw">Source</a></nav>
        <h1>${mail.subject ?? '(no subject)'}</h1>
      </header>
      <main>
        <dl class="card">
          <dt>From</dt>
          <dd>${sender(mail)}</dd>
          <dt>To</dt>
          <dd>${recipients(mail)}</dd>
          <dt>Date</dt>
          <dd>${when(mail)}</dd>
        </dl>
        ${links.length === 0 ? '' : html`<h2>Link</h2>`}${links.map((link) => html`<p class="card"><a href="${link}">${link}</a></p>`)}
        <h2>HTML</h2>
        <iframe
          title="Rendered email"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcdoc="${framed}"
        ></iframe>
        <h2>Plain text</h2>
        <pre class="card">${mail.text ?? ''}</pre>
      </main>`,
  );
}

export interface TemplateExample {
  readonly title: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export function renderTemplates(product: string, examples: readonly TemplateExample[]): Page {
  return frame(
    product,
    'Templates',
    html`<header>
        <nav><a href="/mailbox">Mailbox</a></nav>
        <h1>Templates</h1>
        <p class="dim">One example of each kind of email, with sample data. Some kinds have variants.</p>
      </header>
      <main>
        ${examples.map(
          (example) =>
            html`<h2>${example.title}: ${example.subject}</h2>
              <iframe title="${example.title}" sandbox srcdoc="${example.html}"></iframe>
              <pre class="card">${example.text}</pre>`,
        )}
      </main>`,
  );
}
