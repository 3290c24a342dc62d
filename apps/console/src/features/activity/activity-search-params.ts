/** Search params of the activity screen: its filters. */
import { activityKinds, type ActivityFilter } from '@lanternrock/contract/activity';
import { optionParam, textParam, type UrlState } from '../../shared/url-state.ts';
import { startOfDay } from '../../ui/input-day.ts';

/** A pasted ID. */
const trimmed = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' ? textParam(maxLength)(value.trim()) : undefined;

/** A local day, such as 2026-11-24. */
const dayParam = (value: unknown): string | undefined => {
  const day = trimmed(value, 10);
  return day !== undefined && startOfDay(day) !== undefined ? day : undefined;
};

export const activitySearchParams = {
  /** User ID, or an origin for entries without a user. */
  person: (value: unknown) => trimmed(value, 50),
  kind: optionParam(activityKinds),
  /** ID of an account, a user or another record. */
  record: (value: unknown) => trimmed(value, 100),
  /** ID of an entry, with which the list starts. */
  entry: (value: unknown) => {
    const id = trimmed(typeof value === 'number' ? String(value) : value, 18);
    return id !== undefined && /^\d+$/.test(id) ? id : undefined;
  },
  /** First day. */
  from: dayParam,
  /** Last day. */
  to: dayParam,
};

export type ActivitySearchParams = UrlState<typeof activitySearchParams>;

/** Returns the filter of the service: days become times. */
export const toActivityFilter = ({
  from,
  to,
  entry: _entry,
  ...rest
}: ActivitySearchParams): ActivityFilter => {
  const start = from === undefined ? undefined : startOfDay(from);
  const end = to === undefined ? undefined : startOfDay(to, 1);
  return {
    ...rest,
    ...(start === undefined ? {} : { from: start.toISOString() }),
    ...(end === undefined ? {} : { to: end.toISOString() }),
  };
};
