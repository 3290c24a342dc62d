import type { Email } from 'postal-mime';

/** Addresses that mails to somebody carry, oldest mail first; one per mail. */
export function linksOf(mails: readonly Email[], to: string): URL[] {
  return mails
    .filter((mail) => mail.to?.some(({ address }) => address === to))
    .flatMap((mail) => /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? [])
    .map((link) => new URL(link));
}
