/** Texts of security notices: emails about a change to sign-in settings. */
import { buildAdministratorNotice } from './administrator-notice-content.ts';
import { type NoticeContent, valueOr } from './notice-value.ts';
import type { EmailData, EmailJob, NoticeKind } from './email-job.ts';

const notices: {
  readonly [Kind in NoticeKind]: (data: EmailData[Kind], product: string) => NoticeContent;
} = {
  password_changed: (data, product) => {
    const done = data.firstPassword ? 'set' : 'changed';
    const removed = data.removed ? ` Also removed: ${valueOr(data.removed, '')}.` : '';
    return {
      subject: `Your ${product} password was ${done}`,
      heading: `Your password was ${done}`,
      sentence: `The password of your ${product} account was ${done}.${removed}`,
    };
  },
  email_changed: (data, product) => ({
    subject: `The email address of your ${product} account was changed`,
    heading: 'Your email address was changed',
    sentence: `You now sign in to ${product} with ${valueOr(data.newEmail, 'another email address')}. You can no longer use this address.`,
  }),
  phone_changed: (_data, product) => ({
    subject: `Your ${product} account has a new phone number`,
    heading: 'New phone number',
    sentence: `Your ${product} account has a new phone number.`,
  }),
  factor_added: (data, product) => ({
    subject: `A second factor was added to your ${product} account`,
    heading: 'A second factor was added',
    sentence: `${valueOr(data.factor, 'A second factor')} now protects your ${product} account.`,
  }),
  factor_removed: (data, product) => ({
    subject: `A second factor was removed from your ${product} account`,
    heading: 'A second factor was removed',
    sentence: `${valueOr(data.factor, 'A second factor')} no longer protects your ${product} account.`,
  }),
  recovery_code_used: (data, product) => {
    const remaining = valueOr(data.remaining, '');
    const left = remaining === '' ? '' : ` Unused codes: ${remaining}.`;
    return {
      subject: `A recovery code of your ${product} account was used`,
      heading: 'A recovery code was used',
      sentence: `A recovery code replaced the second factor of your ${product} account.${left}`,
    };
  },
  factors_reset: (data, product) => {
    const actor = valueOr(data.actor, 'An administrator');
    return data.user
      ? {
          subject: `The second factor of a ${product} user was removed`,
          heading: 'A second factor was removed',
          sentence: `${actor} removed all second factors, passkeys and recovery codes of ${valueOr(data.user, 'a user')} and revoked all sessions of this user.`,
        }
      : {
          subject: `Your second factor for ${product} was removed`,
          heading: 'Your second factor was removed',
          sentence: `${actor} removed all second factors, passkeys and recovery codes of your ${product} account and revoked all your sessions. Add a second factor after you sign in.`,
        };
  },
  administrator_invited: buildAdministratorNotice,
  administrator_changed: buildAdministratorNotice,
  passkey_added: (_data, product) => ({
    subject: `A passkey was added to your ${product} account`,
    heading: 'A passkey was added',
    sentence: `You can now sign in to ${product} with a new passkey.`,
  }),
  passkey_removed: (_data, product) => ({
    subject: `A passkey was removed from your ${product} account`,
    heading: 'A passkey was removed',
    sentence: `A passkey of your ${product} account was removed and no longer works.`,
  }),
  identity_linked: (data, product) => ({
    subject: `A sign-in method was added to your ${product} account`,
    heading: 'A sign-in method was linked',
    sentence: `You can now sign in to ${product} with ${valueOr(data.provider, 'another provider')}.`,
  }),
  identity_unlinked: (data, product) => ({
    subject: `A sign-in method was removed from your ${product} account`,
    heading: 'A sign-in method was removed',
    sentence: `A sign-in method of your ${product} account was removed: ${valueOr(data.provider, 'another provider')}.`,
  }),
  sign_in_failed: (data, product) => {
    switch (data.purpose) {
      case 'second_factor':
        return {
          subject: `A sign-in to ${product} stopped at your second factor`,
          heading: 'Wrong second factor at sign-in',
          sentence: `Within a day, five attempts to sign in to your ${product} account failed because of a wrong second factor or recovery code. The first step, such as your password, was correct.`,
        };
      case 'step_up':
        return {
          subject: `Failed attempts to confirm a change in your ${product} account`,
          heading: 'Failed attempts to confirm a change',
          sentence: `Within a day, five attempts to confirm a change in your ${product} account failed because of a wrong password or code. They came from a device that is signed in.`,
        };
      default:
        return {
          subject: `Failed attempts to sign in to ${product}`,
          heading: 'Failed attempts to sign in',
          sentence: `Within a day, five attempts to sign in to your ${product} account failed because of a wrong password or code.`,
        };
    }
  },
};

export const isNotice = (job: EmailJob): job is EmailJob<NoticeKind> => Object.hasOwn(notices, job.kind);

export const buildNoticeContent = (job: EmailJob<NoticeKind>, product: string): NoticeContent =>
  // The compiler does not see that the values belong to the kind.
  notices[job.kind](job.data as never, product);
