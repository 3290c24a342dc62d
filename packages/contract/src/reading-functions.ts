/**
 * The functions of the Functions API that change nothing. All others but `create-invitation-link`, whose response is
 * secret and therefore not stored, honor the header `Idempotency-Key`: a repeated request has its effect once.
 */
export const readingFunctions: ReadonlySet<string> = new Set([
  'account-details',
  'account-members',
  'administrator-details',
  'administrators',
  'check-sender-domain',
  'export-accounts',
  'export-activity',
  'handover',
  'handover-sheet',
  'invitation-history',
  'list-activity',
  'list-activity-people',
  'notification-settings-author',
  'plan-invitations',
  'second-factor-demand',
  'session-watch',
  'similar-accounts',
  'unsent-invitations',
]);
