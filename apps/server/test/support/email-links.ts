import type { Email } from 'postal-mime';
import type { TestService } from './test-service.ts';

/** Returns the links in the emails to an address, oldest email first, one per email. */
export function linksIn(mails: readonly Email[], to: string): URL[] {
  return mails
    .filter((mail) => mail.to?.some(({ address }) => address === to))
    .flatMap((mail) => /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? [])
    .map((link) => new URL(link));
}

/** Returns the captured emails to an address, oldest first. */
export const emailsTo = async (test: Pick<TestService, 'mails'>, address: string): Promise<Email[]> =>
  (await test.mails()).filter((mail) => mail.to?.[0]?.address === address);
