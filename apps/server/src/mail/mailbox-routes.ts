/** Routes of `/mailbox`: the captured emails of an instance without SMTP_URL, for the operator's browser only. */
import { Hono } from 'hono';
import type { Context } from 'hono';
import PostalMime from 'postal-mime';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { listMessages, toMailboxDirectory, readMessage } from './mailbox.ts';
import { isLocalRequest } from '../http/local-access.ts';
import {
  renderLinkNeeded,
  renderList,
  renderMessage,
  renderTemplates,
  type MailboxMessage,
} from './mailbox-pages.ts';
import type { MailboxAccess } from './mailbox-access.ts';
import { mailboxStyle } from './mailbox-style.ts';
import { templateExamples } from './template-examples.ts';

const strict =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// A framed email inherits the policy of the page and needs inline styles. Scripts remain blocked.
const withFrame = strict.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const stylePath = '/mailbox/style.css';

/** Maximum number of emails in the list. */
const maxListed = 100;

interface MailboxOptions {
  readonly config: Config;
  readonly access: MailboxAccess;
}

/** Creates the routes to mount at `/mailbox`; only for an instance without SMTP_URL. */
export function mailboxRoutes({ config, access }: MailboxOptions): Hono<AppEnv> {
  const directory = toMailboxDirectory(config);
  const product = config.PRODUCT_NAME;
  const routes = new Hono<AppEnv>();
  routes.use(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    // Blocks DNS rebinding: a foreign host name that resolves to this machine must not reach the exchange of the link.
    if (!isLocalRequest(c)) return c.text('Not found', 404);
    // The redirect removes the secret from the address bar.
    if (access.redeem(c)) return c.redirect('/mailbox', 303);
    // Without the cookie, for example with a bookmark from before a restart. The style sheet contains no email.
    if (!access.isGranted(c) && c.req.path !== stylePath)
      return page(c, renderLinkNeeded(product), strict, 403);
    await next();
    return undefined;
  });
  routes.get('/style.css', (c) => c.body(mailboxStyle, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  routes.get('/templates', (c) => page(c, renderTemplates(product, templateExamples(config)), withFrame));
  routes.get('/', async (c) => {
    const names = await listMessages(directory);
    const mails = await Promise.all(names.slice(0, maxListed).map((name) => parseMessage(directory, name)));
    return page(
      c,
      renderList(
        product,
        mails.filter((mail) => mail !== null),
        names.length,
      ),
      strict,
    );
  });
  routes.get('/:name/raw', async (c) => {
    const raw = await readMessage(directory, c.req.param('name'));
    if (!raw) return c.text('Not found', 404);
    return c.body(new Uint8Array(raw), 200, { 'Content-Type': 'text/plain; charset=utf-8' });
  });
  routes.get('/:name', async (c) => {
    const mail = await parseMessage(directory, c.req.param('name'));
    if (!mail) return c.text('Not found', 404);
    return page(c, renderMessage(product, mail, linksTo(config.SITE_URL, mail)), withFrame);
  });
  return routes;
}

function page(
  c: Context<AppEnv>,
  body: ReturnType<typeof renderList>,
  policy: string,
  status: 200 | 403 = 200,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', policy);
  return c.html(body, status);
}

async function parseMessage(directory: string, name: string): Promise<MailboxMessage | null> {
  const raw = await readMessage(directory, name);
  return raw ? { name, mail: await PostalMime.parse(raw) } : null;
}

/** Returns the URLs of this instance in the plain text. */
const linksTo = (siteUrl: string, { mail }: MailboxMessage): string[] =>
  (mail.text ?? '').split(/\s+/).filter((word) => word.startsWith(`${siteUrl}/`));
