/** What the recipient of a security notice can do if another person made the change. */
import type { AttemptPurpose } from '@lanternrock/auth/ports';
import type { AdministratorNotice, ContentContext, EmailContent, EmailJob, NoticeKind } from './email-job.ts';

const defaultAdvice =
  'If this was not you, reset your password immediately, check your security settings and contact an administrator.';

const advice: Partial<Record<NoticeKind, string>> = {
  email_changed: 'If this was not you, contact an administrator immediately.',
  administrator_invited:
    'If you did not expect this, contact another administrator immediately. You can revoke an invitation, or remove an administrator, in the list of administrators.',
  recovery_code_used:
    'If this was not you, another person has a recovery code of yours and passed the first step of the sign-in, such as your password. Change your password immediately, create new recovery codes and contact an administrator.',
  factors_reset: 'If you do not know why this was done, contact an administrator immediately.',
  sign_in_failed:
    'None of these attempts succeeded. If they were yours, no action is needed. If they were not, make sure that you have a strong password and a second factor.',
};

const afterFirstStep =
  'If this was not you, another person knows your password or can use one of your other sign-in methods. Change your password immediately, check your security settings and contact an administrator.';
const insideSession =
  'If this was not you, another person is using one of your devices or sessions. Reset your password immediately, sign out all other devices in your security settings and contact an administrator.';

/** By the purpose of the attempts. This kind has no reserve of the quota, so its emails are never merged. */
const failureAdvice: Partial<Record<AttemptPurpose, string>> = {
  second_factor: afterFirstStep,
  step_up: insideSession,
};

const memberAdvice =
  'If you did not expect this, contact another administrator immediately. You can revoke the invitation in the panel of the account.';

const ownAdvice = 'If you did not expect this, contact an administrator or the operator of the service.';
const requirementAdvice =
  'If you did not expect this, contact another administrator immediately. The requirement is in the View menu of the list of administrators.';

type AdministratorJob = EmailJob<'administrator_invited' | 'administrator_changed'>;

const isAboutAdministrator = (job: EmailJob<NoticeKind>): job is AdministratorJob =>
  job.kind === 'administrator_invited' || job.kind === 'administrator_changed';

/** By the event. The others have the advice about invitations. */
const eventAdvice: Partial<Record<AdministratorNotice['event'], string>> = {
  member_link_created: memberAdvice,
  removed:
    'If you did not expect this, contact another administrator immediately. You can restore an administrator in the list of administrators.',
  restored:
    'If you did not expect this, contact another administrator immediately. You can remove an administrator in the list of administrators.',
  end_changed:
    'If you did not expect this, contact another administrator immediately. You can change the end of a role, or remove an administrator, in the list of administrators.',
  own_end_changed: ownAdvice,
  own_removed: ownAdvice,
  own_restored: ownAdvice,
  factor_required: requirementAdvice,
  factor_not_required: requirementAdvice,
};

export const getNoticeAdvice = (job: EmailJob<NoticeKind>): string =>
  (isAboutAdministrator(job) ? eventAdvice[job.data.event] : undefined) ??
  (job.kind === 'sign_in_failed' ? failureAdvice[job.data.purpose] : undefined) ??
  advice[job.kind] ??
  defaultAdvice;

/** Returns true for a notice about another user. */
const isAboutOther = ({ data }: EmailJob<NoticeKind>): boolean => 'user' in data && data.user !== undefined;

/**
 * The security page; for a notice about another user the list of administrators, or the account of the member. A user who can
 * no longer sign in gets no link.
 */
export function buildNoticeLink(
  job: EmailJob<NoticeKind>,
  { siteUrl }: ContentContext,
): Pick<EmailContent, 'action' | 'link'> {
  const { event, accountId = '' }: Partial<AdministratorNotice> = isAboutAdministrator(job) ? job.data : {};
  if (event === 'member_link_created') {
    const account = encodeURIComponent(accountId);
    return { action: 'Open the account', link: `${siteUrl}/admin/accounts?account=${account}` };
  }
  if (event === 'own_removed') return {};
  if (event === 'own_restored' || event === 'own_end_changed')
    return { action: 'Sign in', link: `${siteUrl}/auth` };
  return isAboutOther(job) && event !== 'factor_required'
    ? { action: 'Open the list of administrators', link: `${siteUrl}/admin/platform-admins` }
    : { action: 'Open your security settings', link: `${siteUrl}/admin/me/security` };
}

/** Help without the console. The address in the email was replaced if the email address was changed. */
export const getNoticeHelp = (job: EmailJob<NoticeKind>): readonly string[] => {
  if (isAboutOther(job) || (job.kind === 'sign_in_failed' && (job.data.purpose ?? 'sign_in') === 'sign_in'))
    return [];
  const command = `lanternrock admins sign-out ${job.kind === 'email_changed' ? 'EMAIL' : job.to}`;
  return [
    `If you cannot sign in, ask an administrator or the operator of the service for help. The operator can end all your sessions with the command "${command}".`,
  ];
};
