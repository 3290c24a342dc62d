/** The changes as plain text, for a message to a colleague. */
import type { ActivityEntry, ActivityGroup } from '@lanternrock/contract/activity';
import type { HandoverInvitation, HandoverResponse } from '@lanternrock/contract/handover';
import { type ActivityAction, isMove, toAction } from '../../shared/activity-action.ts';
import { describeActivity } from '../../shared/describe-activity.ts';
import { activityText, actorName, fieldName, fieldValue } from '../../shared/activity-text.ts';
import { formatExactTime } from '../../ui/format-time.ts';
import { handoverText as text, invitationTexts } from './handover-text.ts';

const joinWords = (...words: readonly string[]): string => words.filter((word) => word !== '').join(' ');

/** Returns for example `City: none → Bern`, for updates, and the reason for a suspension. */
export const changedFields = ({ primary, reason }: ActivityAction): string => {
  const value = (field: string, stored: string | null): string =>
    stored === null || stored === '' ? text.noValue : fieldValue(field, stored);
  const fields = primary.action === 'UPDATE' && !isMove(primary) ? primary.changes : [];
  return [
    ...fields.map(
      ({ field, before, after }) => `${fieldName(field)}: ${value(field, before)} → ${value(field, after)}`,
    ),
    ...(reason === null
      ? []
      : [`${reason.isFormer ? activityText.formerReason : activityText.reason}: ${reason.text}`]),
  ].join('; ');
};

/** Returns for example `and 3 more`; '' for an action that the sentence describes, such as an import. */
export const furtherChanges = ({ primary, others, hasMore }: ActivityAction): string =>
  others === 0 || primary.table_name === 'imports' ? '' : activityText.andMore(others, hasMore);

/** Returns for example `undone by Ben Reyes, 24 Nov 2026, 08:00`. */
const undoneBy = ({ undone_by: by }: ActivityEntry): string =>
  by === null ? '' : `(${text.undoneBy(actorName(by), formatExactTime(by.at ?? ''), by.partly)})`;

const changeLine = (item: ActivityGroup): string => {
  const action = toAction(item);
  const { primary } = action;
  const { verb, object, relation, record } = describeActivity(primary);
  const fields = changedFields(action);
  return joinWords(
    `- ${formatExactTime(primary.at)}:`,
    actorName(primary),
    verb,
    object,
    relation,
    record ?? '',
    furtherChanges(action),
    fields === '' ? '' : `(${fields})`,
    undoneBy(primary),
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
