import type { Email } from 'postal-mime';
import type { TestService } from './test-service.ts';

/** Addresses that mails to somebody carry, oldest mail first; one per mail. */
export function linksIn(mails: readonly Email[], to: string): URL[] {
  return mails
    .filter((mail) => mail.to?.some(({ address }) => address === to))
    .flatMap((mail) => /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? [])
    .map((link) => new URL(link));
}

/** Kept mails to this address, oldest first. */
export const emailsTo = async (test: Pick<TestService, 'mails'>, address: string): Promise<Email[]> =>
  (await test.mails()).filter((mail) => mail.to?.[0]?.address === address);
