import type { Email } from 'postal-mime';
import type { TestService } from './test-service.ts';

/** Returns the links in the emails to an address, oldest email first, one per email. Not those of security notices. */
export function linksIn(emails: readonly Email[], to: string): URL[] {
  return emails
    .filter((email) => email.to?.some(({ address }) => address === to))
    .flatMap((email) => /https?:\/\/\S+/.exec(email.text ?? '')?.[0] ?? [])
    .map((link) => new URL(link))
    .filter(({ search }) => search !== '');
}

/** Returns the captured emails to an address, oldest first. */
export const emailsTo = async (test: Pick<TestService, 'emails'>, recipient: string): Promise<Email[]> =>
  (await test.emails()).filter((email) => email.to?.[0]?.address === recipient);
