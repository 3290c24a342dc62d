/** Mails that tell somebody of a change to the own sign-in, as plain data like all wording. */
import { sanitizeText } from './sanitize-text.ts';
import type { EmailJob, NoticeKind } from './email-job.ts';

export interface NoticeContent {
  readonly subject: string;
  readonly heading: string;
  readonly sentence: string;
}

/** A value of the job in a sentence, or the words for when it is not known. */
const valueOf = (job: EmailJob, name: string, otherwise: string): string =>
  sanitizeText(job.data?.[name] ?? '') || otherwise;

const notices: Readonly<Record<NoticeKind, (job: EmailJob, product: string) => NoticeContent>> = {
  password_changed: (job, product) => {
    const done = job.data?.['firstPassword'] ? 'set' : 'changed';
    const removed = job.data?.['removed'] ? ` Removed with it: ${valueOf(job, 'removed', '')}.` : '';
    return {
      subject: `Your ${product} password was ${done}`,
      heading: `Your password was ${done}`,
      sentence: `The password of your ${product} sign-in was ${done} just now.${removed}`,
    };
  },
  email_changed: (job, product) => ({
    subject: `The address of your ${product} sign-in was changed`,
    heading: 'Your address was changed',
    sentence: `You sign in to ${product} with ${valueOf(job, 'newEmail', 'another address')} from now on. This address no longer works.`,
  }),
  phone_changed: (_job, product) => ({
    subject: `The phone number of your ${product} sign-in was changed`,
    heading: 'Your phone number was changed',
    sentence: `The phone number of your ${product} sign-in was changed just now.`,
  }),
  factor_added: (job, product) => ({
    subject: `A second factor was added to your ${product} sign-in`,
    heading: 'A second factor was added',
    sentence: `${valueOf(job, 'factor', 'A second factor')} protects your ${product} sign-in from now on.`,
  }),
  factor_removed: (job, product) => ({
    subject: `A second factor was removed from your ${product} sign-in`,
    heading: 'A second factor was removed',
    sentence: `${valueOf(job, 'factor', 'A second factor')} no longer protects your ${product} sign-in.`,
  }),
  factors_reset: (job, product) => {
    const actor = valueOf(job, 'actor', 'An administrator');
    return job.data?.['user']
      ? {
          subject: `The second factor of a ${product} user was removed`,
          heading: 'A second factor was removed',
          sentence: `${actor} removed all second factors and recovery codes of ${valueOf(job, 'user', 'a user')} and ended all sessions of this user.`,
        }
      : {
          subject: `Your second factor for ${product} was removed`,
          heading: 'Your second factor was removed',
          sentence: `${actor} removed all second factors and recovery codes of your ${product} sign-in and ended all your sessions. Add a second factor after you sign in.`,
        };
  },
  passkey_added: (_job, product) => ({
    subject: `A passkey was added to your ${product} sign-in`,
    heading: 'A passkey was added',
    sentence: `You can sign in to ${product} with a new passkey from now on.`,
  }),
  passkey_removed: (_job, product) => ({
    subject: `A passkey was removed from your ${product} sign-in`,
    heading: 'A passkey was removed',
    sentence: `A passkey of your ${product} sign-in was removed just now and no longer works.`,
  }),
  identity_linked: (job, product) => ({
    subject: `Another way to sign in to ${product} was added`,
    heading: 'A sign-in was linked',
    sentence: `You can sign in to ${product} with ${valueOf(job, 'provider', 'another provider')} from now on.`,
  }),
  identity_unlinked: (job, product) => ({
    subject: `A way to sign in to ${product} was removed`,
    heading: 'A sign-in was removed',
    sentence: `You can no longer sign in to ${product} with ${valueOf(job, 'provider', 'another provider')}.`,
  }),
  sign_in_failed: (_job, product) => ({
    subject: `Failed attempts to sign in to ${product}`,
    heading: 'Attempts to sign in failed',
    sentence: `There were five attempts today to sign in to your ${product} account with a wrong password or code.`,
  }),
};

export const isNotice = (kind: string): kind is NoticeKind => Object.hasOwn(notices, kind);

export const noticeContent = (kind: NoticeKind, job: EmailJob, product: string): NoticeContent =>
  notices[kind](job, product);
