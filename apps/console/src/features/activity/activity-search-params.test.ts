import { expect, it } from 'vitest';
import { parseUrlState } from '../../shared/url-state.ts';
import { activitySearchParams, toActivityFilter } from './activity-search-params.ts';

const parse = (params: Readonly<Record<string, unknown>>) => parseUrlState(activitySearchParams, params);

it('keeps valid params and leaves out invalid ones', () => {
  const valid = { person: 'service', kind: 'accounts', record: 'a1', from: '2026-11-01', to: '2026-11-24' };
  expect(parse(valid)).toEqual(valid);
  expect(parse({ person: '', kind: 'constructor', record: {}, from: '2026-02-30', to: 'today' })).toEqual({});
  expect(parse({ record: ' 112 ' })).toEqual({ record: '112' });
  expect(parse({ record: 'x'.repeat(200) }).record).toHaveLength(100);
});

it('includes the last day, in local time', () => {
  const filter = toActivityFilter({ kind: 'members', from: '2026-11-24', to: '2026-11-24' });
  expect(filter).toEqual({
    kind: 'members',
    from: new Date(2026, 10, 24).toISOString(),
    to: new Date(2026, 10, 25).toISOString(),
  });
});

it('sends no times without days', () => {
  expect(toActivityFilter({})).toEqual({});
});
