/** Tests of composed messages, parsed by an independent library. */
import type { EmailSecrets } from '@lanternrock/auth/ports';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { expect, it } from 'vitest';
import { composeMessage, formatMessageId } from './compose-message.ts';
import { emailKinds, type EmailData, type EmailKind } from './email-job.ts';

const id = '6f1ed002-ab55-4e23-9a4e-6d7d9a1d8a11';
const link = 'https://console.example.org/auth/callback?setup=true&token_hash=abc_-123&type=invite';

type TestJob = {
  readonly [Kind in EmailKind]: EmailSecrets & {
    readonly kind: Kind;
    readonly data: EmailData[Kind];
    readonly invitationId?: string;
    readonly earlier?: readonly EmailData[Kind][];
  };
}[EmailKind];

interface Parsed {
  readonly raw: string;
  readonly email: Email;
  readonly envelope: unknown;
}

async function composeAndParse(
  job: TestJob,
  sender = { name: 'Harbor Control', address: 'mail@example.org' },
  productName = 'Lanternrock',
): Promise<Parsed> {
  const message = composeMessage({
    job: { to: 'ann@example.net', link, ...job },
    sender,
    context: { productName, siteUrl: 'https://console.example.org', timeZone: 'UTC' },
    messageId: formatMessageId(id, sender),
    date: new Date('2026-11-21T05:30:00Z'),
  });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const info = await transport.sendMail(message);
  const raw = String(info.message);
  return { raw, email: await PostalMime.parse(raw), envelope: info.envelope };
}

const invitation = (data: EmailData['invitation'] = {}): TestJob => ({ kind: 'invitation', data });

const headerNames = ({ email }: Parsed): string[] => email.headers.map((header) => header.key).sort();
const tags = ({ email }: Parsed): string[] => email.html?.match(/<[a-z!/][^>]*>/gi) ?? [];

/** Expects the same headers, envelope and tags of HTML. */
function expectSameStructure(parsed: Parsed, plain: Parsed): void {
  expect(headerNames(parsed)).toEqual(headerNames(plain));
  expect(parsed.envelope).toEqual(plain.envelope);
  expect(tags(parsed)).toEqual(tags(plain));
}

it('keeps the joiners of words and emoji in the subject, the names, the text and the HTML', async () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f3fd} \u2764\ufe0f\u200d\u{1f525}';
  const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
  const names = ['می\u200cخواهم', 'ශ්\u200dරී ලංකා', 'क्\u200cष क्\u200dष', family, scotland];
  for (const name of names) {
    const note = `Note ${name}`;
    const data = { fullName: name, inviter: name, note };
    // Long enough for a subject of several encoded words.
    const product = `${name} ${name} ${name}`;
    const sender = { name, address: 'mail@example.org' };
    const { email } = await composeAndParse(invitation(data), sender, product);
    expect(email.from?.name).toBe(name);
    expect(email.subject).toContain(product);
    for (const body of [email.text, email.html])
      expect([body?.includes(`Hello ${name},`), body?.includes(note), body?.includes(product)]).toEqual([
        true,
        true,
        true,
      ]);
  }
});

it('has one recipient, one link, and exactly the expected headers', async () => {
  const result = await composeAndParse(invitation({ fullName: 'Ann Lee' }));
  expect(headerNames(result)).toEqual([
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
    'x-auto-response-suppress',
  ]);
  expect(result.envelope).toEqual({ from: 'mail@example.org', to: ['ann@example.net'] });
  expect(result.email.from).toEqual({ name: 'Harbor Control', address: 'mail@example.org' });
  expect(result.email.subject).toBe('You have been invited to Lanternrock');
  expect(result.email.messageId).toBe(`<${id}@example.org>`);
  expect(result.email.html?.match(/href=/g)).toHaveLength(1);
  expect(result.email.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
  expect(result.email.text).toContain(link);
  expect(result.email.text).toContain('Hello Ann Lee,');
  // No external resource is loaded.
  expect(result.email.html).not.toMatch(/src=|url\(|@import|<script|<link/i);
});

it.each([
  '<a href=//evil>click</a>',
  '</td><style>*{display:none}</style>',
  '{{.ConfirmationURL}}',
  '"onmouseover="x',
  'Ann\r\nBcc: e@x.co',
  '\n\n<html>',
])(
  'renders the name %j as text, without a new header, recipient or link',
  { tags: ['FN-03', 'FN-05'] },
  async (fullName) => {
    const result = await composeAndParse(invitation({ fullName }));
    const plain = await composeAndParse(invitation({ fullName: 'Ann' }));
    expectSameStructure(result, plain);
  },
);

it.each([
  'Bo <b>Ek</b>',
  'http://evil.example/x',
  'Bo\r\nBcc: e@x.co',
  '<a href=//evil>click</a>',
  'Bo\u202e\u0000',
])(
  'renders the inviter and the note %j as text, without a new header, recipient or link',
  { tags: ['FN-03', 'FN-05'] },
  async (inviter) => {
    const result = await composeAndParse(invitation({ inviter, note: inviter }));
    const note = inviter.includes('\n') ? 'a\nb' : 'a';
    const plain = await composeAndParse(invitation({ inviter: 'Bo', note }));
    expectSameStructure(result, plain);
    expect(result.email.text).not.toMatch(/evil\.example|http:\/\/evil|[\u202e\u0000]/);
  },
);

it(
  'keeps the lines, emoji and letters of a note, without its links',
  { tags: ['FN-05', 'FN-08'] },
  async () => {
    const note = 'Team 👩‍🚒 🇨🇭\n\n<b>See https://evil.example/x\nسلام‌ها';
    const { email } = await composeAndParse(invitation({ inviter: 'Bo Ek', note }));
    expect(email.text).toContain(
      `Note from Bo Ek:\n> Team 👩‍🚒 🇨🇭\n>\n> <b>See https:\u2060/\u2060/\u2060evil.\u2060example/\u2060x\n> سلام‌ها\n`,
    );
    expect(email.html).toContain('&lt;b&gt;See https:\u2060/');
    expect(email.html?.match(/href=/g)).toHaveLength(1);
    expect(email.html?.match(/dir="auto"/g)).toHaveLength(4);
  },
);

it.each([
  'Quote " and \\',
  'Emoji 🚑 Team',
  'Komma, Semikolon; <x@evil.example>',
  'Line\r\nBcc: e@x.co',
  'ü'.repeat(100),
])('encodes the sender name %j as one name of one sender', { tags: ['FN-12'] }, async (name) => {
  const result = await composeAndParse(invitation(), { name, address: 'mail@example.org' });
  expect(result.email.from?.address).toBe('mail@example.org');
  expect(result.email.from?.name).toBe(name.replace(/\s+/g, ' '));
  expect(result.email.bcc ?? []).toEqual([]);
  expect(result.raw).not.toMatch(/^Bcc:/im);
});

it('writes bodies without bare line feeds and without a line of one dot', { tags: ['FN-13'] }, async () => {
  const result = await composeAndParse({
    kind: 'email_change',
    data: { fullName: 'A\r\n.\r\nRCPT TO:<e@x.co>', newEmail: 'x\n.\ny' },
  });
  expect(result.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(result.raw).not.toContain('\r\n.\r\n');
});

const origin = {
  at: '2026-11-21T05:30:00Z',
  source: 'client',
  network: '203.0.113.0/24',
  userAgent: 'curl/8.5.0',
} as const;

/** Emails with a link or a code that expires. */
const expiringJobs: readonly TestJob[] = [
  { kind: 'invitation', data: { inviter: 'Bo Ek', note: 'Hello' } },
  { kind: 'recovery', data: {} },
  { kind: 'confirmation', data: {} },
  { kind: 'magic_link', data: {} },
  { kind: 'email_change', data: { newEmail: 'ann@new.example.org' } },
  { kind: 'reauthentication', data: {} },
  { kind: 'member_invitation', data: { account: 'Harbor Patrol', inviter: 'Bo Ek', note: 'Hello' } },
];

const otherJobs: readonly TestJob[] = [
  { kind: 'password_changed', data: origin },
  { kind: 'email_changed', data: { ...origin, newEmail: 'ann@new.example.org' } },
  { kind: 'phone_changed', data: origin },
  { kind: 'factor_added', data: { ...origin, factor: 'Phone' } },
  { kind: 'factor_removed', data: { ...origin, factor: 'Phone' } },
  { kind: 'passkey_added', data: origin },
  { kind: 'recovery_code_used', data: { ...origin, remaining: '9' } },
  { kind: 'passkey_removed', data: origin },
  { kind: 'identity_linked', data: { ...origin, provider: 'keycloak' } },
  { kind: 'identity_unlinked', data: { ...origin, provider: 'keycloak' } },
  { kind: 'sign_in_failed', data: { ...origin, purpose: 'sign_in' } },
  { kind: 'factors_reset', data: { ...origin, actor: 'bo@example.org' } },
  {
    kind: 'administrator_invited',
    data: { ...origin, event: 'invited', user: 'kim@example.org', actor: 'bo@example.org' },
  },
  {
    kind: 'administrator_changed',
    data: { ...origin, event: 'removed', user: 'kim@example.org', actor: 'bo@example.org' },
  },
  { kind: 'audit_head', data: { position: '1204', hash: '9f86d081', at: origin.at, problem: '' } },
  { kind: 'backup_problem', data: { at: origin.at, problem: '', lastAt: '' } },
  { kind: 'test', data: {} },
];

it('has an example of each kind', () => {
  expect([...expiringJobs, ...otherJobs].map(({ kind }) => kind).sort()).toEqual([...emailKinds].sort());
});

/** Composes the job with a code and an expiry, and returns the text of both parts. */
async function composeParts(job: TestJob): Promise<readonly string[]> {
  const { email } = await composeAndParse({
    ...job,
    code: '123456',
    expiresAt: new Date('2026-11-28T05:30:00Z'),
  });
  const htmlText = (email.html ?? '')
    .replace(/<(style|title)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return [email.text ?? '', htmlText];
}

// Older ICU versions write no comma after the weekday.
const expiry = /Saturday,? 28 November 2026 at 05:30 UTC/;

it.each(expiringJobs)(
  '$kind: shows the code and the expiry with its time zone in both parts',
  async (job) => {
    for (const part of await composeParts(job)) {
      expect(part).toContain('123456');
      expect(part).toMatch(expiry);
    }
  },
);

it.each(otherJobs)('$kind: shows no expiry', async (job) => {
  for (const part of await composeParts(job)) expect(part).not.toMatch(expiry);
});

it('tells the recipient not to share the code of a reauthentication', async () => {
  const { email } = await composeAndParse({ kind: 'reauthentication', code: '123456', data: {} });
  expect(email.text).toContain('Enter this code');
  expect(email.text?.replaceAll(/\s+/g, ' ')).toContain('Do not share this code with anyone.');
  expect(email.text).not.toContain('never ask you');
});

it.each(['a@b.co, e@x.co', 'Ann <a@b.co>', 'a@b.co\r\nBcc: e@x.co', ''])(
  'rejects the recipient %j',
  { tags: ['FN-04'] },
  (to) => {
    expect(() =>
      composeMessage({
        job: { kind: 'test', to, data: {} },
        sender: { name: 'x', address: 'mail@example.org' },
        context: { productName: 'x', siteUrl: 'https://x.example', timeZone: 'UTC' },
        messageId: '<x@y.z>',
        date: new Date(0),
      }),
    ).toThrow(TypeError);
  },
);

it('shows the purpose and never the code in the preview text', { tags: ['FN-05'] }, async () => {
  const { email } = await composeAndParse({
    kind: 'magic_link',
    data: {},
    code: '123456',
    expiresAt: new Date('2026-11-28T05:30:00Z'),
  });
  const shown = (email.html ?? '')
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/[\u034f\u200c\u00a0]|&#847;|&zwnj;|&nbsp;/g, '');
  expect(shown.trim()).toMatch(
    /^Use the link or the code below to sign in\. This link works once and expires on Saturday/,
  );
  expect(shown.indexOf('123456')).toBeGreaterThan(shown.indexOf('Sign in to Lanternrock'));
});

it('says only what is true of an invitation by the Auth API, and of an email change', async () => {
  const text = async (job: TestJob): Promise<string> =>
    ((await composeAndParse({ ...job, code: '123456' })).email.text ?? '').replaceAll(/\s+/g, ' ');
  const invited = await text(invitation());
  expect(invited).toContain('You have been invited to Lanternrock. Set a new password');
  expect(invited).toContain('If you are asked for a code: 123456');
  const newEmail = 'ann@new.example.org';
  const both = 'when both the current and the new email address have confirmed it.';
  expect(await text({ kind: 'email_change', data: { newEmail, needsBoth: 'yes' } })).toContain(both);
  expect(await text({ kind: 'email_change', data: { newEmail } })).not.toContain(both);
});

it('contains the complete message in the plain text part', { tags: ['FN-05'] }, async () => {
  const { email } = await composeAndParse({ ...invitation({ fullName: 'Ann Lee' }), invitationId: id });
  expect(email.text?.trim()).toBe(
    `Your invitation to Lanternrock

Hello Ann Lee,

You have been invited to Lanternrock as an administrator. Set a new password to get started.

Set your password:
${link}

You can use the link more than once until you set your password.
If you did not expect this invitation, you can ignore this email.

-- 
Sent by Harbor Control with Lanternrock`,
  );
});

it('names a product with a period alone in the footer if the sender has its name', () => {
  const { text } = composeMessage({
    job: { kind: 'password_changed', to: 'ann@example.net', data: origin },
    sender: { name: 'Acme.io', address: 'mail@example.org' },
    context: { productName: 'Acme.io', siteUrl: 'https://console.example.org', timeZone: 'UTC' },
    messageId: '<x@y.z>',
    date: new Date(0),
  });
  expect(String(text).trim()).toMatch(/\nSent by Acme\.io$/);
});

it('names the product alone in the footer if the sender has its name', async () => {
  const sender = { name: 'Lanternrock', address: 'mail@example.org' };
  const { email } = await composeAndParse(invitation(), sender);
  expect(email.text?.trim()).toMatch(/\nSent by Lanternrock$/);
  expect(email.html).toContain('>Sent by Lanternrock</p>');
});

it('tells an invited member what they become, with sanitized names', async () => {
  const data = {
    fullName: 'Ann Lee',
    account: 'Harbor\r\nhttps://evil.example',
    endsAt: '2027-07-01T18:00:00.000Z',
    inviter: 'Bo Ek',
    note: 'Hi',
  };
  const { email } = await composeAndParse({ kind: 'member_invitation', data });
  expect(email.subject).toMatch(/^You have been invited to Harbor\b.* on Lanternrock$/);
  expect(email.text).toContain('Hello Ann Lee,');
  expect(email.text).toMatch(/Bo Ek has invited you to become a member of Harbor\b/);
  expect(email.text).toMatch(/You do not become an administrator\.\s+Your access ends on .*2027/);
  expect(email.text).toContain('Note from Bo Ek:');
  // The only link is that of the invitation.
  expect([...new Set(email.html?.match(/href="[^"]*"/g))]).toHaveLength(1);
  expect(email.text?.match(/https:\/\/(?!console\.example\.org)/)).toBeNull();
});

it('names member and account in the notice of a created link, sanitized, and leads to the account', async () => {
  const { email } = await composeAndParse({
    kind: 'administrator_invited',
    data: {
      ...origin,
      event: 'member_link_created',
      user: 'kim@example.org',
      actor: 'bo@example.org',
      account: 'Harbor https://evil.example',
      accountId: id,
    },
  });
  const text = (email.text ?? '').replaceAll('\u2060', '').replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'bo@example.org created a link for the invitation of kim@example.org as a member of Harbor',
  );
  expect(email.text).not.toContain('https://evil.example');
  expect(text).toContain('You can revoke the invitation in the panel of the account.');
  expect(text).toContain(`https://console.example.org/admin/accounts?account=${id}`);
  expect(email.html).toContain('Open the account');
});

it.each([
  [[], 'A new administrator of Lanternrock'],
  [['accepted', 'accepted'], '3 notices: A new administrator of Lanternrock'],
  [['invited'], 'A new administrator of Lanternrock, and 1 more notice'],
  [['invited', 'accepted', 'invited'], 'A new administrator of Lanternrock, and 3 more notices'],
] as const)('the subject after earlier notices %j is %s', async (events, subject) => {
  const toData = (event: 'accepted' | 'invited') => ({ event, user: 'bo@example.org', actor: 'Ann' });
  const earlier = events.map(toData);
  const { email } = await composeAndParse({
    kind: 'administrator_invited',
    data: toData('accepted'),
    earlier,
  });
  expect(email.subject).toBe(subject);
});
