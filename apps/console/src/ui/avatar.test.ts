import { expect, it } from 'vitest';
import { initials } from './avatar.tsx';

it('returns the first letter of the first and the last word', () => {
  const names = ['Alex Morgan', '  ada  de la cruz ', 'dispatch@example.com', 'Þórsmörk', '🇨🇭 Rega', ''];
  expect(names.map(initials)).toEqual(['AM', 'AC', 'D', 'Þ', '🇨🇭R', '']);
});
