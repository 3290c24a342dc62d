/** The changes as plain text, for a message to a colleague. */
import type { ActivityEntry } from '@lanternrock/contract/activity';
import type { HandoverInvitation, HandoverResponse } from '@lanternrock/contract/handover';
import { actorName, describeActivity, fieldName, fieldValue } from '../../shared/activity-text.ts';
import { formatExactTime } from '../../ui/format-time.ts';
import { handoverText as text, invitationTexts } from './handover-text.ts';

const joinWords = (...words: readonly string[]): string => words.filter((word) => word !== '').join(' ');

/** Returns for example `City: none → Bern`, for updates, and the reason for a suspension. */
export const changedFields = ({ action, table_name: table, changes }: ActivityEntry): string => {
  if (table === 'private.account_suspensions') {
    const reason = changes.find(({ field }) => field === 'reason')?.after ?? '';
    return reason === '' ? '' : `${fieldName('reason')}: ${reason}`;
  }
  if (action !== 'UPDATE') return '';
  const value = (field: string, stored: string | null): string =>
    stored === null || stored === '' ? text.noValue : fieldValue(field, stored);
  return changes
    .map(
      ({ field, before, after }) => `${fieldName(field)}: ${value(field, before)} → ${value(field, after)}`,
    )
    .join('; ');
};

const changeLine = (item: ActivityEntry): string => {
  const { verb, object, relation, record } = describeActivity(item);
  const fields = changedFields(item);
  return joinWords(
    `- ${formatExactTime(item.at)}:`,
    actorName(item),
    verb,
    object,
    relation,
    record ?? '',
    fields === '' ? '' : `(${fields})`,
  );
};

const invitationLine = ({ event, at, full_name: name, email, actor }: HandoverInvitation): string => {
  const { before, after } = invitationTexts[event](actor, at);
  return joinWords(
    event === 'expires' ? '-' : `- ${formatExactTime(at)}:`,
    before,
    `${name} <${email}>`,
    after,
  );
};

/** A name cannot add a line: it contains no control characters, and other line separators become spaces. */
const toLines = (title: string, lines: readonly string[], more: boolean): readonly string[] => [
  '',
  title,
  ...(lines.length === 0 ? [text.none] : lines.map((line) => line.replaceAll(/\s/g, ' '))),
  ...(more ? [text.more] : []),
];

export const handoverPlainText = ({
  since,
  until,
  accounts,
  invitations,
  settings,
}: HandoverResponse): string =>
  [
    text.title,
    text.period(formatExactTime(since), formatExactTime(until)),
    ...toLines(text.sections.accounts, accounts.items.map(changeLine), accounts.more),
    ...toLines(text.sections.invitations, invitations.items.map(invitationLine), invitations.more),
    ...toLines(text.sections.settings, settings.items.map(changeLine), settings.more),
    '',
  ].join('\n');
