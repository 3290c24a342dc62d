/** Search params of the activity screen: its filters. */
import { activityKinds, type ActivityFilter, type ActivityKind } from '@lanternrock/contract/activity';
import { startOfDay } from '../../ui/input-time.ts';
import { textParam } from '../../ui/text-param.ts';

export interface ActivitySearchParams {
  /** User ID, or an origin for entries without a user. */
  person?: string | undefined;
  kind?: ActivityKind | undefined;
  /** ID of an account, a user or another record. */
  record?: string | undefined;
  /** First local day, such as 2026-11-24. */
  from?: string | undefined;
  /** Last local day. */
  to?: string | undefined;
}

const toText = (value: unknown, maxLength: number): string | undefined =>
  textParam(typeof value === 'string' ? value.trim() : value, maxLength);

/** Returns undefined for an invalid day. */
const toDay = (value: unknown): string | undefined => {
  const day = toText(value, 10);
  return day !== undefined && startOfDay(day) !== undefined ? day : undefined;
};

/**
 * Returns the valid search params. Invalid ones are left out, so that old links still work; a key with the value
 * undefined would remove the param from the URL.
 */
export const validateActivitySearch = (params: Readonly<Record<string, unknown>>): ActivitySearchParams => {
  const search: ActivitySearchParams = {};
  const person = toText(params['person'], 50);
  if (person !== undefined) search.person = person;
  const kind = activityKinds.find((each) => each === params['kind']);
  if (kind !== undefined) search.kind = kind;
  const record = toText(params['record'], 100);
  if (record !== undefined) search.record = record;
  const from = toDay(params['from']);
  if (from !== undefined) search.from = from;
  const to = toDay(params['to']);
  if (to !== undefined) search.to = to;
  return search;
};

/** Returns the filter of the service: days become times. */
export const toActivityFilter = ({ from, to, ...rest }: ActivitySearchParams): ActivityFilter => {
  const start = from === undefined ? undefined : startOfDay(from);
  const end = to === undefined ? undefined : startOfDay(to, 1);
  return {
    ...rest,
    ...(start === undefined ? {} : { from: start.toISOString() }),
    ...(end === undefined ? {} : { to: end.toISOString() }),
  };
};
