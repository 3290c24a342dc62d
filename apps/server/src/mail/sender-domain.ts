/**
 * What the DNS says about the sender's domain: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489).
 * Receivers decide by these records; the check reads them and changes nothing.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { DomainRecord } from '@lanternrock/contract/notification-settings';

/** Milliseconds for one question, and how often it is asked. */
const patience = { timeout: 2000, tries: 2 };

export interface SenderDomainQuery {
  readonly domain: string;
  /** '' when nobody has said it. */
  readonly selector: string;
  /** The DKIM key with which this service signs for the domain, in PEM; null when the mail server signs. */
  readonly privateKey: string | null;
  /** Host of the mail server, '' without one. */
  readonly mailHost: string;
  /** Empty: the system's. */
  readonly servers: readonly string[];
}

/** The TXT records of a name, or why nobody can tell. */
type Found = { readonly texts: readonly string[] } | { readonly failure: string };
type Ask = (name: string) => Promise<Found>;

/** Never throws for what the DNS answers or fails to answer. */
export async function checkSenderDomain(question: SenderDomainQuery): Promise<readonly DomainRecord[]> {
  const resolver = new Resolver(patience);
  if (question.servers.length > 0) resolver.setServers(question.servers);
  const ask: Ask = async (name) => {
    try {
      // One record may be cut into several strings, which belong together without a space.
      return { texts: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return code === 'ENOTFOUND' || code === 'ENODATA' ? { texts: [] } : { failure: code };
    }
  };
  return Promise.all([checkSpf(ask, question), checkDkim(ask, question), checkDmarc(ask, question)]);
}

const noAnswer = (code: string): string => `The DNS did not answer (${code}).`;

async function checkSpf(ask: Ask, { domain, mailHost }: SenderDomainQuery): Promise<DomainRecord> {
  const base = {
    kind: 'SPF',
    name: domain,
    publish: mailHost === '' ? 'v=spf1 mx ~all' : `v=spf1 mx a:${mailHost} ~all`,
  } as const;
  const found = await ask(domain);
  if ('failure' in found) return { ...base, state: 'unknown', found: null, note: noAnswer(found.failure) };
  const [record, second] = found.texts.filter((text) => /^v=spf1( |$)/i.test(text));
  if (record === undefined) return { ...base, state: 'missing', found: null, note: '' };
  if (second === undefined) return { ...base, state: 'pass', found: record, publish: null, note: '' };
  const note = 'There is more than one SPF record, so receivers heed none of them. Keep one.';
  return { ...base, state: 'missing', found: `${record}\n${second}`, note };
}

async function checkDkim(ask: Ask, question: SenderDomainQuery): Promise<DomainRecord> {
  const { domain, selector, privateKey } = question;
  const base = { kind: 'DKIM', publish: null, found: null } as const;
  if (selector === '') {
    const note = 'Enter the selector that your mail provider names.';
    return { ...base, state: 'unknown', name: '', note };
  }
  const name = `${selector}._domainkey.${domain}`;
  const own = privateKey === null ? null : publicText(createPublicKey(privateKey));
  const publish = own === null ? null : `v=DKIM1; k=${own.type}; p=${own.key}`;
  const found = await ask(name);
  if ('failure' in found) return { ...base, state: 'unknown', name, publish, note: noAnswer(found.failure) };
  const record = found.texts.find((text) => tagsOf(text).has('p'));
  if (record === undefined) {
    const note = publish === null ? 'Your mail provider names the value to publish.' : '';
    return { ...base, state: 'missing', name, publish, note };
  }
  const key = tagsOf(record).get('p')?.replace(/\s/g, '') ?? '';
  if (key === '') {
    const note = 'The key was withdrawn by its owner.';
    return { ...base, state: 'missing', name, found: record, publish, note };
  }
  if (own !== null && key !== own.key) {
    const note = 'The published key is not the one that signs the mails.';
    return { ...base, state: 'missing', name, found: record, publish, note };
  }
  return { ...base, state: 'pass', name, found: record, note: '' };
}

/** `a=b; c=d` as a map; tag names are case-sensitive (RFC 6376, 3.2). */
const tagsOf = (record: string): ReadonlyMap<string, string> =>
  new Map(
    record.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()] as const;
    }),
  );

/** RFC 6376 publishes RSA keys as SPKI, RFC 8463 publishes Ed25519 keys as their 32 bytes. */
function publicText(key: KeyObject): { type: string; key: string } {
  const spki = key.export({ type: 'spki', format: 'der' });
  const edwards = key.asymmetricKeyType === 'ed25519';
  return { type: edwards ? 'ed25519' : 'rsa', key: (edwards ? spki.subarray(-32) : spki).toString('base64') };
}

/** The domain's own policy, else that of the nearest domain above it, never of a top-level one. */
async function checkDmarc(ask: Ask, { domain }: SenderDomainQuery): Promise<DomainRecord> {
  const base = { kind: 'DMARC', name: `_dmarc.${domain}`, publish: 'v=DMARC1; p=none' } as const;
  const labels = domain.split('.');
  for (let skipped = 0; skipped === 0 || labels.length - skipped >= 2; skipped += 1) {
    const name = `_dmarc.${labels.slice(skipped).join('.')}`;
    const found = await ask(name);
    if ('failure' in found) return { ...base, state: 'unknown', found: null, note: noAnswer(found.failure) };
    const records = found.texts.filter((text) => /^v=DMARC1\s*(;|$)/.test(text));
    const [record] = records;
    if (record === undefined) continue;
    if (records.length > 1) {
      const note = 'There is more than one DMARC record, so receivers heed none of them. Keep one.';
      return { ...base, state: 'missing', name, found: records.join('\n'), note };
    }
    return { ...base, state: 'pass', name, found: record, publish: null, note: '' };
  }
  return { ...base, state: 'missing', found: null, note: '' };
}
