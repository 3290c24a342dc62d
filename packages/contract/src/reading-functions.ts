/**
 * The functions of the Functions API that change nothing. All others honor the header `Idempotency-Key`, so that a
 * repeated request has its effect once.
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
