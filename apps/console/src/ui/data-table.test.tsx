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
  it('C143 has a search box only if configured', () => {
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} />)).not.toContain(
      'type="search"',
    );
    const search = { placeholder: 'Search teams...', text: (team: Team) => team.name };
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} search={search} />)).toContain(
      'Search teams...',
    );
  });
  it('C144 shows the labels of a filter and uses its values', () => {
    const options = [
      { value: 'all', label: 'Everyone' },
      { value: 'x1', label: 'On duty' },
    ];
    const filters = [{ key: 'duty', label: 'Duty', options, value: () => 'x1' }];
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} filters={filters} />);
    expect(html).toMatch(/<option value="all"[^>]*>Everyone<\/option><option value="x1">On duty<\/option>/);
  });
  it('C146 offers 10, 25 and 50 rows', () => {
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={teams} />);
    expect([...html.matchAll(/<option value="(\d+)"/g)].map((match) => match[1])).toEqual(['10', '25', '50']);
  });
  it('C148 shows as many skeleton rows as rows per page while loading', () => {
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} loading />);
    expect(count(html, 'data-skeleton-row')).toBe(10);
    expect(html).not.toContain('No data available');
  });
  it('C149 C150 shows the default or the given message without data', () => {
    expect(renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} />)).toContain('No data available');
    const html = renderToStaticMarkup(<DataTable {...requiredProps} rows={[]} emptyMessage="No teams yet" />);
    expect(html).toContain('No teams yet');
    expect(html).not.toContain('No data available');
  });
  it('C151 C152 disables Previous on page 1 and Next on the last page', () => {
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
