/** Checks the DNS records of the sender's domain: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489). */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { DomainRecord } from '@lanternrock/contract/notification-settings';

/** Timeout per attempt in milliseconds, and number of attempts. */
const resolverOptions = { timeout: 2000, tries: 2 };

interface SenderDomainQuery {
  readonly domain: string;
  /** DKIM selector; '' if unknown. */
  readonly selector: string;
  /** The DKIM key with which this service signs for the domain, in PEM; null if the mail server signs. */
  readonly privateKey: string | null;
  /** Host of the mail server; '' without SMTP_URL. */
  readonly mailHost: string;
  /** DNS servers; empty: those of the system. */
  readonly servers: readonly string[];
}

/** The TXT records of a name, or the error code of the lookup. */
type Lookup = { readonly texts: readonly string[] } | { readonly failure: string };
type LookUpTxt = (name: string) => Promise<Lookup>;

/** Looks up the three records concurrently. A DNS error is reported as an unknown state and not thrown. */
export async function checkSenderDomain(query: SenderDomainQuery): Promise<readonly DomainRecord[]> {
  const resolver = new Resolver(resolverOptions);
  if (query.servers.length > 0) resolver.setServers(query.servers);
  const lookUp: LookUpTxt = async (name) => {
    try {
      // A TXT record consists of one or more strings, which are concatenated without a space (RFC 7208, 3.3).
      return { texts: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return code === 'ENOTFOUND' || code === 'ENODATA' ? { texts: [] } : { failure: code };
    }
  };
  return Promise.all([checkSpf(lookUp, query), checkDkim(lookUp, query), checkDmarc(lookUp, query)]);
}

const lookupFailed = (code: string): string => `The DNS lookup failed (${code}).`;

async function checkSpf(lookUp: LookUpTxt, { domain, mailHost }: SenderDomainQuery): Promise<DomainRecord> {
  const base = { kind: 'SPF', name: domain, publish: null } as const;
  const found = await lookUp(domain);
  if ('failure' in found)
    return { ...base, state: 'unknown', found: null, note: lookupFailed(found.failure) };
  const [record, second] = found.texts.filter((text) => /^v=spf1( |$)/i.test(text));
  if (record === undefined) {
    const publish = mailHost === '' ? 'v=spf1 mx ~all' : `v=spf1 mx a:${mailHost} ~all`;
    const note = 'If your email provider gives you another SPF record, publish that one.';
    return { ...base, state: 'missing', found: null, publish, note };
  }
  if (second === undefined) return { ...base, state: 'pass', found: record, note: '' };
  const note = 'There is more than one SPF record, so the check of receivers fails. Keep one.';
  return { ...base, state: 'missing', found: `${record}\n${second}`, note };
}

async function checkDkim(lookUp: LookUpTxt, query: SenderDomainQuery): Promise<DomainRecord> {
  const { domain, selector, privateKey } = query;
  const base = { kind: 'DKIM', publish: null, found: null } as const;
  if (selector === '') {
    const note = 'Enter the selector provided by your email provider.';
    return { ...base, state: 'unknown', name: '', note };
  }
  const name = `${selector}._domainkey.${domain}`;
  const signing = privateKey === null ? null : formatPublicKey(createPublicKey(privateKey));
  const publish = signing === null ? null : `v=DKIM1; k=${signing.type}; p=${signing.key}`;
  const found = await lookUp(name);
  if ('failure' in found) return { ...base, state: 'unknown', name, note: lookupFailed(found.failure) };
  const record = found.texts.find((text) => parseTags(text).has('p'));
  if (record === undefined) {
    const note = publish === null ? 'Your email provider provides the value to publish.' : '';
    return { ...base, state: 'missing', name, publish, note };
  }
  const key = parseTags(record).get('p')?.replace(/\s/g, '') ?? '';
  if (key === '') {
    const note = 'The key has been revoked.';
    return { ...base, state: 'missing', name, found: record, publish, note };
  }
  if (signing !== null && key !== signing.key) {
    const note = 'The published key is not the one that signs the emails.';
    return { ...base, state: 'missing', name, found: record, publish, note };
  }
  return { ...base, state: 'pass', name, found: record, note: '' };
}

/** Parses `a=b; c=d` to a map. Tag names are case-sensitive (RFC 6376, 3.2). */
const parseTags = (record: string): ReadonlyMap<string, string> =>
  new Map(
    record.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()] as const;
    }),
  );

/** Encodes a key for its DNS record: an RSA key as SPKI (RFC 6376), an Ed25519 key as its 32 bytes (RFC 8463). */
function formatPublicKey(key: KeyObject): { type: string; key: string } {
  const spki = key.export({ type: 'spki', format: 'der' });
  const edwards = key.asymmetricKeyType === 'ed25519';
  return { type: edwards ? 'ed25519' : 'rsa', key: (edwards ? spki.subarray(-32) : spki).toString('base64') };
}

/** Finds the policy of the domain, or of its nearest parent domain; a top-level domain is not queried. */
async function checkDmarc(lookUp: LookUpTxt, { domain }: SenderDomainQuery): Promise<DomainRecord> {
  const base = { kind: 'DMARC', name: `_dmarc.${domain}`, publish: null } as const;
  const labels = domain.split('.');
  for (let skipped = 0; skipped === 0 || labels.length - skipped >= 2; skipped += 1) {
    const name = `_dmarc.${labels.slice(skipped).join('.')}`;
    const found = await lookUp(name);
    if ('failure' in found)
      return { ...base, state: 'unknown', found: null, note: lookupFailed(found.failure) };
    const records = found.texts.filter((text) => /^v=DMARC1\s*(;|$)/.test(text));
    const [record] = records;
    if (record === undefined) continue;
    if (records.length > 1) {
      const note = 'There is more than one DMARC record, so receivers ignore all of them. Keep one.';
      return { ...base, state: 'missing', name, found: records.join('\n'), note };
    }
    return { ...base, state: 'pass', name, found: record, note: '' };
  }
  return { ...base, state: 'missing', found: null, publish: 'v=DMARC1; p=none', note: '' };
}
