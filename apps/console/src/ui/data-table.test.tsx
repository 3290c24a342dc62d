import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { DataTable } from './data-table.tsx';

interface Team {
  readonly id: string;
  readonly name: string;
}

const teams: readonly Team[] = Array.from({ length: 12 }, (_, index) => ({
  id: `t${index}`,
  name: `Team ${index}`,
}));
const requiredProps = {
  label: 'Teams',
  columns: [{ key: 'name', header: 'Name', cell: (team: Team) => team.name }],
  rowKey: (team: Team) => team.id,
};
const count = (html: string, part: string): number => html.split(part).length - 1;

describe('the rendered data table', () => {
  it('has a search box only if configured', { tags: ['C143'] }, () => {
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} />)).not.toContain(
      'type="search"',
    );
    const search = { placeholder: 'Search teams...', text: (team: Team) => team.name };
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} search={search} />)).toContain(
      'Search teams...',
    );
  });
  it('shows the labels of a filter and uses its values', { tags: ['C144'] }, () => {
    const options = [
      { value: 'all', label: 'Everyone' },
      { value: 'x1', label: 'On duty' },
    ];
    const filters = [{ key: 'duty', label: 'Duty', options, value: () => 'x1' }];
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} filters={filters} />);
    expect(html).toMatch(/<option value="all"[^>]*>Everyone<\/option><option value="x1">On duty<\/option>/);
  });
  it('offers 10, 25 and 50 rows', { tags: ['C146'] }, () => {
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} />);
    expect([...html.matchAll(/<option value="(\d+)"/g)].map((match) => match[1])).toEqual(['10', '25', '50']);
  });
  it('shows as many skeleton rows as rows per page while loading', { tags: ['C148'] }, () => {
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} loading />);
    expect(count(html, 'data-skeleton-row')).toBe(10);
    expect(html).not.toContain('No data available');
  });
  it('shows the default or the given message without data', { tags: ['C149', 'C150'] }, () => {
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} />)).toContain('No data available');
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} emptyMessage="No teams yet" />);
    expect(html).toContain('No teams yet');
    expect(html).not.toContain('No data available');
  });
  it('disables Previous on page 1 and Next on the last page', { tags: ['C151', 'C152'] }, () => {
    const buttons = (html: string): readonly (string | undefined)[] =>
      [...html.matchAll(/<button[^>]*>/g)].map((match) => match[0]);
    const [previous, next] = buttons(renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} />));
    expect(previous).toContain('disabled=""');
    expect(next).not.toContain('disabled=""');
    const [, onlyPage] = buttons(
      renderToStaticMarkup(<DataTable {...requiredProps} rows={teams.slice(0, 3)} />),
    );
    expect(onlyPage).toContain('disabled=""');
  });
});
