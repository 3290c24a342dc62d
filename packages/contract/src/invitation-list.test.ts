import { expect, it } from 'vitest';
import { countFailures } from './invitation-list.ts';

it.each([
  [['queued', 'queued'], 2],
  [['queued', 'pending', 'not_accepted', 'invalid', 'queued'], 2],
  [['queued', 'queued', 'sent'], 0],
  [['queued', 'sent', 'queued'], 1],
])('counts the consecutive temporary failures of %j: %i', (outcomes, failures) => {
  expect(outcomes.reduce(countFailures, 0)).toBe(failures);
});
