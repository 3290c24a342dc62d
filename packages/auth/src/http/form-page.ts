/** HTML pages of the Auth API with one form, which change nothing until the user submits it. */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { AuthEnv } from '../client-info.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0; }
main { max-width: 24rem; padding: 2rem; text-align: center; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 0; border-radius: .5rem;
  background: #1d4ed8; color: #fff; cursor: pointer; margin: .25rem; }
button.plain { background: none; color: inherit; box-shadow: inset 0 0 0 1px; }
button:focus-visible { outline: 3px solid; outline-offset: 2px; }`;
const styleHash = createHash('sha256').update(style).digest('base64');

export interface FormPage {
  readonly productName: string;
  readonly title: string;
  readonly body: ReturnType<typeof html>;
  /** Destination of the browser after the form. */
  readonly redirect: URL;
}

/**
 * Returns the page. Its Content Security Policy blocks scripts and limits the form to this service and `redirect`.
 */
export function renderFormPage(
  c: Context<AuthEnv>,
  { productName, title, body, redirect }: FormPage,
): Response | Promise<Response> {
  // Browsers also apply form-action to the redirect after the form.
  const target = redirect.origin === 'null' ? redirect.protocol : redirect.origin;
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${target}; frame-ancestors 'none'; base-uri 'none'`,
  );
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex');
  // The policy contains the hash of this constant, so it must not be escaped.
  const styleTag = raw(`<style>${style}</style>`);
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} - ${productName}</title>
          ${styleTag}
        </head>
        <body>
          <main>
            <h1>${productName}</h1>
            ${body}
          </main>
        </body>
      </html>`,
  );
}
