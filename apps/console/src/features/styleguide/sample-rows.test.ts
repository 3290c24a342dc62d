import { expect, it } from 'vitest';
import { sampleRows } from './sample-rows.ts';

it('C135 C174 every sample row has five fields with allowed values', () => {
  for (const row of sampleRows) {
    expect(Object.keys(row)).toEqual(['id', 'name', 'email', 'role', 'status']);
    expect(['Admin', 'User']).toContain(row.role);
    expect(['Active', 'Inactive']).toContain(row.status);
  }
});

it('C137 C138 the sample rows have all filter values and more than one page', () => {
  expect(sampleRows.length).toBeGreaterThan(10);
  expect(new Set(sampleRows.map((row) => `${row.role} ${row.status}`)).size).toBe(4);
});
