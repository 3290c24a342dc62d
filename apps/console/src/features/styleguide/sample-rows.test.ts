import { expect, it } from 'vitest';
import { sampleRows } from './sample-rows.ts';

it('every sample row has five fields with allowed values', { tags: ['C135', 'C174'] }, () => {
  for (const row of sampleRows) {
    expect(Object.keys(row)).toEqual(['id', 'name', 'email', 'role', 'status']);
    expect(['Admin', 'User']).toContain(row.role);
    expect(['Active', 'Inactive']).toContain(row.status);
  }
});

it('the sample rows have all filter values and more than one page', { tags: ['C137', 'C138'] }, () => {
  expect(sampleRows.length).toBeGreaterThan(10);
  expect(new Set(sampleRows.map((row) => `${row.role} ${row.status}`)).size).toBe(4);
});
