/** Function `check-sender-domain` against a real DNS server. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SenderDomainResponse } from '@lanternrock/contract/notification-settings';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { startDnsServer, type DnsServer, type Zone } from './support/dns-server.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import {
  invitationTables,
  openInvitationFixture,
  type InvitationFixture,
} from './support/invitation-fixture.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
const dkim = `v=DKIM1; k=rsa; p=${publicKey}`;
const complete: Zone = {
  'mail.example.org': ['some other text', 'v=spf1 include:spf.example.net -all'],
  'east._domainkey.mail.example.org': [dkim],
  '_dmarc.mail.example.org': ['v=DMARC1; p=reject'],
};

eachEngine('sender domain', (engine) => {
  let fixture: InvitationFixture;
  let dns: DnsServer;
  let admin: string;
  const keyFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-dkim-')), 'key.pem');
  beforeAll(async () => {
    fs.writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    dns = await startDnsServer();
    fixture = await openInvitationFixture(engine, {
      settings: {
        DNS_SERVERS: dns.address,
        DKIM_DOMAIN: 'mail.example.org',
        DKIM_SELECTOR: 'east',
        DKIM_KEY_FILE: keyFile,
      },
    });
    admin = await fixture.createUser({ administrator: true, email: 'administrator@example.org' });
    await fixture.database.query(sql`delete from public.notification_settings`);
    await fixture.database.query(
      sql`insert into public.notification_settings (sender_email, sender_name) values ('alerts@mail.example.org', 'Alerts')`,
    );
  });
  afterAll(async () => {
    await fixture.close();
    await dns.close();
    fs.rmSync(path.dirname(keyFile), { recursive: true });
  });
  beforeEach(() => {
    dns.zone = { ...complete };
    dns.queries.length = 0;
  });

  const check = async (body: unknown = {}): Promise<SenderDomainResponse> => {
    const response = await fixture.call(body, admin, undefined, 'check-sender-domain');
    expect(response.status).toBe(200);
    return (await response.json()) as SenderDomainResponse;
  };
  const states = async (body?: unknown): Promise<string[]> =>
    (await check(body)).records.map(({ state }) => state);

  it('finds published records of the stored sender only and returns the time of the check', async () => {
    const { domain, checked_at: at, records } = await check({ domain: 'elsewhere.example.net' });
    expect(domain).toBe('mail.example.org');
    expect(Number.isNaN(Date.parse(at))).toBe(false);
    expect(records).toEqual([
      {
        kind: 'SPF',
        state: 'pass',
        name: 'mail.example.org',
        found: complete['mail.example.org']?.[1],
        publish: null,
        note: '',
      },
      {
        kind: 'DKIM',
        state: 'pass',
        name: 'east._domainkey.mail.example.org',
        found: dkim,
        publish: null,
        note: '',
      },
      {
        kind: 'DMARC',
        state: 'pass',
        name: '_dmarc.mail.example.org',
        found: 'v=DMARC1; p=reject',
        publish: null,
        note: '',
      },
    ]);
    expect(dns.queries.every((name) => name.endsWith('mail.example.org'))).toBe(true);
  });

  it('reports missing records with the values to publish, including the configured DKIM key', async () => {
    dns.zone = {};
    const { records } = await check();
    expect(records.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    expect(records.map(({ publish }) => publish)).toEqual(['v=spf1 mx ~all', dkim, 'v=DMARC1; p=none']);
  });

  it.each<[string, Zone, string[]]>([
    [
      'two SPF records',
      { 'mail.example.org': ['v=spf1 -all', 'v=spf1 mx ~all'] },
      ['missing', 'pass', 'pass'],
    ],
    [
      'another record with the same prefix',
      { 'mail.example.org': ['v=spf10 -all'] },
      ['missing', 'pass', 'pass'],
    ],
    ['a revoked key', { 'east._domainkey.mail.example.org': ['v=DKIM1; p='] }, ['pass', 'missing', 'pass']],
    [
      'a different key',
      { 'east._domainkey.mail.example.org': ['v=DKIM1; p=AAAA'] },
      ['pass', 'missing', 'pass'],
    ],
    ['no response for a name', { 'mail.example.org': 'refused' }, ['unknown', 'pass', 'pass']],
    [
      'no response for DKIM and DMARC',
      { 'east._domainkey.mail.example.org': 'refused', '_dmarc.mail.example.org': 'refused' },
      ['pass', 'unknown', 'unknown'],
    ],
  ])('reports %s', async (_name, zone, expected) => {
    dns.zone = { ...complete, ...zone };
    expect(await states()).toEqual(expected);
  });

  it('suggests no record if another one exists or may exist', async () => {
    const publish = async (): Promise<unknown[]> => (await check()).records.map((record) => record.publish);
    dns.zone = Object.fromEntries(Object.keys(complete).map((name) => [name, 'refused' as const]));
    expect(await publish()).toEqual([null, null, null]);
    dns.zone = {
      ...complete,
      'mail.example.org': ['v=spf1 -all', 'v=spf1 mx ~all'],
      '_dmarc.mail.example.org': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    };
    expect(await publish()).toEqual([null, null, null]);
  });

  it('uses the DMARC policy of the parent domain, but not of a top-level domain', async () => {
    delete dns.zone['_dmarc.mail.example.org'];
    dns.zone['_dmarc.org'] = ['v=DMARC1; p=none'];
    expect((await states())[2]).toBe('missing');
    dns.zone['_dmarc.example.org'] = ['v=DMARC1; p=none'];
    expect((await states())[2]).toBe('pass');
  });

  it('checks another selector, whose key only the provider knows', async () => {
    dns.zone['west._domainkey.mail.example.org'] = ['k=rsa; p=AAAA'];
    expect((await states({ selector: 'west' }))[1]).toBe('pass');
    const [, missing] = (await check({ selector: 'north' })).records;
    expect([missing?.state, missing?.publish]).toEqual(['missing', null]);
  });

  it('returns the user who last saved the settings, to platform administrators only', async () => {
    const author = async (as?: string): Promise<[number, unknown]> => {
      const response = await fixture.call({}, as, undefined, 'notification-settings-author');
      return [response.status, await response.json()];
    };
    expect(await author(admin)).toEqual([200, { name: null, saved_at: expect.any(String) }]);
    await fixture.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: admin })}, true)`);
      await tx.query(sql`update public.notification_settings set sender_name = 'Changed'`);
    });
    expect(await author(admin)).toEqual([
      200,
      { name: 'administrator@example.org', saved_at: expect.any(String) },
    ]);
    expect((await author(await fixture.createUser({ email: 'other@example.org' })))[0]).toBe(403);
    expect((await author())[0]).toBe(401);
  });

  it(
    'allows platform administrators only, accepts a plain selector, queries no other server and changes nothing',
    { tags: ['X01'] },
    async () => {
      const member = await fixture.createUser({ email: 'member@example.org' });
      const before = await invitationTables(fixture.database);
      const status = async (body: unknown, as?: string): Promise<number> =>
        (await fixture.call(body, as, undefined, 'check-sender-domain')).status;
      expect(await status({}, member)).toBe(403);
      expect(await status({})).toBe(401);
      for (const selector of ['a b', 'a..b', 'http://x', '.', 7, 'x'.repeat(200)]) {
        expect(await status({ selector }, admin)).toBe(400);
      }
      expect(dns.queries).toEqual([]);
      expect(await invitationTables(fixture.database)).toBe(before);
    },
  );
});
