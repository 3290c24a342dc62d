/** Texts of the notices about administrators: to the others, and to the one whose access changed. */
import { formatDateWithZone } from './date-with-zone.ts';
import type { AdministratorNotice } from './email-job.ts';
import { type NoticeContent, valueOr } from './notice-value.ts';

type Data = AdministratorNotice;

/** Sanitized. */
interface Names {
  readonly user: string;
  readonly actor: string;
  readonly product: string;
}

/** Returns a time in UTC, or the fallback if there is none. */
const formatTime = (time: string | undefined, fallback: string): string => {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) ? fallback : formatDateWithZone(date, 'UTC');
};

/** The role that was restored may have ended. */
const restoredUntil = ({ endsAt }: Data, otherwise: string): string =>
  endsAt === undefined
    ? otherwise
    : `The role ended on ${formatTime(endsAt, 'an earlier date')}, so it gives no rights.`;

const notices: Readonly<Record<Data['event'], (names: Names, data: Data) => NoticeContent>> = {
  invited: ({ user, actor, product }) => ({
    subject: `An administrator of ${product} was invited`,
    heading: 'An administrator was invited',
    sentence: `${actor} invited ${user} as an administrator of ${product}.`,
  }),
  accepted: ({ user, product }) => ({
    subject: `A new administrator of ${product}`,
    heading: 'A new administrator',
    sentence: `${user} accepted an invitation and is now an administrator of ${product}.`,
  }),
  link_created: ({ user, actor, product }) => ({
    subject: `An invitation link for an administrator of ${product} was created`,
    heading: 'An invitation link was created',
    sentence: `${actor} created a link for the invitation of ${user} as an administrator. Anyone who has the link can set the password and become an administrator.`,
  }),
  member_link_created: ({ user, actor, product }, data) => {
    const account = valueOr(data.account, 'an account');
    return {
      subject: `An invitation link for a member of ${account} was created`,
      heading: 'An invitation link was created',
      sentence: `${actor} created a link for the invitation of ${user} as a member of ${account} on ${product}. Anyone who has the link can set the password and become a member.`,
    };
  },
  removed: ({ user, actor, product }) => ({
    subject: `An administrator of ${product} was removed`,
    heading: 'An administrator was removed',
    sentence: `${actor} removed ${user} as an administrator of ${product}. The user can no longer sign in.`,
  }),
  restored: ({ user, actor, product }, data) => ({
    subject: `An administrator of ${product} was restored`,
    heading: 'An administrator was restored',
    sentence:
      `${actor} restored ${user} as an administrator of ${product}. ${restoredUntil(data, '')}`.trimEnd(),
  }),
  own_removed: ({ actor, product }) => ({
    subject: `Your access to ${product} was removed`,
    heading: 'Your access was removed',
    sentence: `${actor} removed you as an administrator of ${product}. You can no longer sign in, and your sessions have ended.`,
  }),
  own_restored: ({ actor, product }, data) => ({
    subject: `Your access to ${product} was restored`,
    heading: 'Your access was restored',
    sentence: `${actor} restored you as an administrator of ${product}. ${restoredUntil(data, 'You sign in as before.')}`,
  }),
  end_changed: ({ user, actor, product }, { endsAt }) => ({
    subject: `The end of the role of an administrator of ${product} was changed`,
    heading: 'The end of a role was changed',
    sentence:
      endsAt === undefined
        ? `${actor} removed the end of the role of ${user} as an administrator of ${product}.`
        : `${actor} changed the role of ${user} as an administrator of ${product}. It ends on ${formatTime(endsAt, 'another date')}.`,
  }),
  own_end_changed: ({ actor, product }, { endsAt }) => ({
    subject: `The end of your access to ${product} was changed`,
    heading: 'The end of your access was changed',
    sentence:
      endsAt === undefined
        ? `${actor} removed the end of your role as an administrator of ${product}.`
        : `${actor} changed your role as an administrator of ${product}. It ends on ${formatTime(endsAt, 'another date')}.`,
  }),
  factor_required: ({ actor, product }, { dueAt }) => ({
    subject: `Administrators of ${product} need a second factor`,
    heading: 'A second factor is required',
    sentence: `${actor} requires a second factor of all administrators of ${product} from ${formatTime(dueAt, 'now on')}. From then on, an administrator without one can use ${product} only after they set one up.`,
  }),
  factor_not_required: ({ actor, product }) => ({
    subject: `Administrators of ${product} no longer need a second factor`,
    heading: 'A second factor is no longer required',
    sentence: `${actor} removed the requirement of a second factor for administrators of ${product}. Administrators who have one still use it to sign in.`,
  }),
};

export const buildAdministratorNotice = (data: Data, product: string): NoticeContent => {
  const names = {
    user: valueOr(data.user, 'a user'),
    actor: valueOr(data.actor, 'An administrator'),
    product,
  };
  // Emails that an earlier version stored have no event.
  const build = Object.hasOwn(notices, data.event) ? notices[data.event] : notices.invited;
  return build(names, data);
};
