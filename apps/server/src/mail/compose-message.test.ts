/** Tests of composed messages, parsed by an independent library. */
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { expect, it } from 'vitest';
import { composeMessage, formatMessageId } from './compose-message.ts';
import { emailKinds, type EmailJob } from './email-job.ts';
import { isNotice } from './notice-content.ts';
import { formatDateWithZone } from './date-with-zone.ts';

const id = '6f1ed002-ab55-4e23-9a4e-6d7d9a1d8a11';
const link = 'https://console.example.org/auth/callback?setup=true&token_hash=abc_-123&type=invite';

interface Sent {
  readonly raw: string;
  readonly mail: Email;
  readonly envelope: unknown;
}

async function sent(
  job: object = {},
  sender = { name: 'Harbor Control', address: 'mail@example.org' },
  productName = 'Lanternrock',
): Promise<Sent> {
  const message = composeMessage({
    job: { kind: 'invitation', to: 'ann@example.net', link, data: {}, ...job } as EmailJob,
    sender,
    context: { productName, siteUrl: 'https://console.example.org', timeZone: 'UTC' },
    messageId: formatMessageId(id, sender),
    date: new Date('2026-11-21T05:30:00Z'),
  });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const info = await transport.sendMail(message);
  const raw = String(info.message);
  return { raw, mail: await PostalMime.parse(raw), envelope: info.envelope };
}

const headerNames = ({ mail }: Sent): string[] => mail.headers.map((header) => header.key).sort();

it('keeps the joiners of words and emoji in the subject, the names, the text and the HTML', async () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f3fd} \u2764\ufe0f\u200d\u{1f525}';
  const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
  const names = ['می\u200cخواهم', 'ශ්\u200dරී ලංකා', 'क्\u200cष क्\u200dष', family, scotland];
  for (const name of names) {
    const note = `Note ${name}`;
    const data = { fullName: name, inviter: name, note };
    // Long enough for a subject of several encoded words.
    const product = `${name} ${name} ${name}`;
    const { mail } = await sent({ data }, { name, address: 'mail@example.org' }, product);
    expect(mail.from?.name).toBe(name);
    expect(mail.subject).toContain(product);
    for (const body of [mail.text, mail.html])
      expect([body?.includes(`Hello ${name},`), body?.includes(note), body?.includes(product)]).toEqual([
        true,
        true,
        true,
      ]);
  }
});

it('has one recipient, one link, and exactly the expected headers', async () => {
  const result = await sent({ data: { fullName: 'Ann Lee' } });
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
  expect(result.mail.from).toEqual({ name: 'Harbor Control', address: 'mail@example.org' });
  expect(result.mail.subject).toBe('You have been invited to Lanternrock');
  expect(result.mail.messageId).toBe(`<${id}@example.org>`);
  expect(result.mail.html?.match(/href=/g)).toHaveLength(1);
  expect(result.mail.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
  expect(result.mail.text).toContain(link);
  expect(result.mail.text).toContain('Hello Ann Lee,');
  // No external resource is loaded.
  expect(result.mail.html).not.toMatch(/src=|url\(|@import|<script|<link/i);
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
    const result = await sent({ data: { fullName } });
    const plain = await sent({ data: { fullName: 'Ann' } });
    expect(headerNames(result)).toEqual(headerNames(plain));
    expect(result.envelope).toEqual(plain.envelope);
    const tags = ({ mail }: Sent): string[] => mail.html?.match(/<[a-z!/][^>]*>/gi) ?? [];
    expect(tags(result)).toEqual(tags(plain));
  },
);

it.each([
  'Bo <b>Ek</b>',
  'http://evil.example/x',
  'Bo\r\nBcc: e@x.co',
  '<a href=//evil>click</a>',
  'Bo\u202e\u0000',
])(
  'names the inviter %j as text, without a new header, recipient or link',
  { tags: ['FN-03', 'FN-05'] },
  async (inviter) => {
    const result = await sent({ data: { inviter, note: inviter } });
    const plain = await sent({ data: { inviter: 'Bo', note: inviter.includes('\n') ? 'a\nb' : 'a' } });
    expect(headerNames(result)).toEqual(headerNames(plain));
    expect(result.envelope).toEqual(plain.envelope);
    const tags = ({ mail }: Sent): string[] => mail.html?.match(/<[a-z!/][^>]*>/gi) ?? [];
    expect(tags(result)).toEqual(tags(plain));
    expect(result.mail.text).not.toMatch(/evil\.example|http:\/\/evil|[\u202e\u0000]/);
  },
);

it(
  'keeps the lines, emoji and letters of a note, without its links',
  { tags: ['FN-05', 'FN-08'] },
  async () => {
    const note = 'Team 👩‍🚒 🇨🇭\n\n<b>See https://evil.example/x\nسلام‌ها';
    const { mail } = await sent({ data: { inviter: 'Bo Ek', note } });
    expect(mail.text).toContain(
      `Note from Bo Ek:\n> Team 👩‍🚒 🇨🇭\n>\n> <b>See https:\u2060/\u2060/\u2060evil.\u2060example/\u2060x\n> سلام‌ها\n`,
    );
    expect(mail.html).toContain('&lt;b&gt;See https:\u2060/');
    expect(mail.html?.match(/href=/g)).toHaveLength(1);
    expect(mail.html?.match(/dir="auto"/g)).toHaveLength(4);
  },
);

it.each([
  'Quote " and \\',
  'Emoji 🚑 Team',
  'Komma, Semikolon; <x@evil.example>',
  'Line\r\nBcc: e@x.co',
  'ü'.repeat(100),
])('encodes the sender name %j as one name of one sender', { tags: ['FN-12'] }, async (name) => {
  const result = await sent({}, { name, address: 'mail@example.org' });
  expect(result.mail.from?.address).toBe('mail@example.org');
  expect(result.mail.from?.name).toBe(name.replace(/\s+/g, ' '));
  expect(result.mail.bcc ?? []).toEqual([]);
  expect(result.raw).not.toMatch(/^Bcc:/im);
});

it('writes bodies without bare line feeds and without a line of one dot', { tags: ['FN-13'] }, async () => {
  const result = await sent({
    kind: 'email_change',
    data: { fullName: 'A\r\n.\r\nRCPT TO:<e@x.co>', newEmail: 'x\n.\ny' },
  });
  expect(result.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(result.raw).not.toContain('\r\n.\r\n');
});

it.each(emailKinds)('%s: shows the code and the expiry with its time zone in both parts', async (kind) => {
  const expiresAt = new Date('2026-11-28T05:30:00Z');
  const { mail } = await sent({
    kind,
    expiresAt,
    code: '123456',
    data: { at: '2026-11-21T05:30:00Z', problem: '' },
  });
  const htmlText = (mail.html ?? '')
    .replace(/<(style|title)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(mail.text).toContain('123456');
  expect(htmlText).toContain('123456');
  const expires = !isNotice({ kind } as EmailJob) && kind !== 'test' && kind !== 'audit_head';
  for (const part of [mail.text ?? '', htmlText]) {
    expect(
      part.includes('Saturday, 28 November 2026 at 05:30 UTC') ||
        part.includes('Saturday 28 November 2026 at 05:30 UTC'),
    ).toBe(expires);
  }
});

it('asks to keep the code of a reauthentication, which the email itself asks to enter', async () => {
  const { mail } = await sent({ kind: 'reauthentication', code: '123456' });
  expect(mail.text).toContain('Enter this code');
  expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain('Do not share this code with anyone.');
  expect(mail.text).not.toContain('never ask you');
});

it('formats dates with their time zone', () => {
  expect(formatDateWithZone(new Date('2026-07-01T12:00:00Z'), 'Europe/Zurich')).toMatch(
    /1 July 2026 at 14:00 (CEST|GMT\+2)$/,
  );
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
  const { mail } = await sent({
    kind: 'magic_link',
    code: '123456',
    expiresAt: new Date('2026-11-28T05:30:00Z'),
  });
  const shown = (mail.html ?? '')
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/[\u034f\u200c\u00a0]|&#847;|&zwnj;|&nbsp;/g, '');
  expect(shown.trim()).toMatch(
    /^Use the link or the code below to sign in\. This link works once and expires on Saturday/,
  );
  expect(shown.indexOf('123456')).toBeGreaterThan(shown.indexOf('Sign in to Lanternrock'));
});

it('contains the complete message in the plain text part', { tags: ['FN-05'] }, async () => {
  const { mail } = await sent({ data: { fullName: 'Ann Lee' } });
  expect(mail.text?.trim()).toBe(
    `Your invitation to Lanternrock

Hello Ann Lee,

You have been invited to Lanternrock as a platform administrator. Set a password to get started.

Set your password:
${link}

You can use the link more than once until you set your password.
If you did not expect this invitation, you can ignore this email.

-- 
Sent by Lanternrock`,
  );
});
