import { expect, it } from 'vitest';
import { renewalSentence } from './renewal-sentence.ts';

it.each([
  [5, 'minute'],
  [3600, '60 minutes'],
  [7200, '2 hours'],
  [604_800, '7 days'],
])('says how often a session with tokens of %i seconds is renewed', (seconds, interval) => {
  expect(renewalSentence(seconds)).toBe(
    `A session renews itself about every ${interval} while it is in use.`,
  );
});
