import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { RowCells, type Column, SkeletonRow } from './column.tsx';
import { Table } from './table.tsx';

interface Team {
  readonly name: string;
  readonly city: string;
}

const columns: readonly Column<Team>[] = [
  {
    key: 'name',
    header: 'Name',
    width: 'w-auto',
    sort: 'name',
    main: true,
    cell: ({ name }) => <b>{name}</b>,
  },
  {
    key: 'city',
    header: 'City',
    width: 'w-32',
    skeleton: 'w-9',
    hiddenBelow: '38rem',
    text: ({ city }) => city,
    secondLine: ({ city }) => <i>{city}</i>,
  },
  { key: 'more', header: 'More', headerContent: <u />, width: 'w-10', print: false, cell: () => '>' },
];
const team: Team = { name: 'North', city: 'Aqaba' };

const render = (props: { skeletonRows?: number; message?: string; order?: 'asc' | 'desc' } = {}): string =>
  renderToStaticMarkup(
    <Table
      label="Teams"
      columns={columns}
      busy={false}
      skeletonRows={props.skeletonRows ?? 0}
      message={props.message}
      order={props.order && { sort: 'name', direction: props.order }}
    >
      <tbody>
        <tr>
          <RowCells columns={columns} row={team} />
        </tr>
      </tbody>
    </Table>,
  );
const tags = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<${name}[ >][^>]*`, 'g'))].map(([tag]) => tag);

describe('a column', () => {
  it('is a header, a cell and a skeleton with the same classes', () => {
    const skeleton = renderToStaticMarkup(
      <table>
        <tbody>
          <SkeletonRow columns={columns} />
        </tbody>
      </table>,
    );
    for (const cells of [tags(render(), 'th'), tags(render(), 'td'), tags(skeleton, 'td')]) {
      expect(cells).toHaveLength(3);
      expect(cells.map((cell) => cell.includes('@max-[38rem]:hidden'))).toEqual([false, true, false]);
      expect(cells.map((cell) => cell.includes('print:hidden'))).toEqual([false, false, true]);
    }
    expect(skeleton).toContain('w-9');
  });

  it('with a second line shows it in the main cell while it is hidden', () => {
    const [main = ''] = render().split('</td>');
    expect(main).toMatch(/<b>North<\/b>.*@min-\[38rem\]:hidden.*<i>Aqaba<\/i>/s);
  });

  it('with a second line has a skeleton of the second line', () => {
    const skeleton = renderToStaticMarkup(
      <table>
        <tbody>
          <SkeletonRow columns={columns} />
        </tbody>
      </table>,
    );
    const [main = '', city = ''] = skeleton.split('</td>');
    expect(main).toMatch(
      /^.*<td class="[^"]*@max-\[38rem\]:py-2.*data-skeleton.*@min-\[38rem\]:hidden.*data-skeleton/s,
    );
    expect(city.split('data-skeleton')).toHaveLength(2);
  });

  it('of user input is isolated and has a tooltip', () => {
    expect(tags(render(), 'td')[1]).toMatch(/dir="auto" translate="no" title="Aqaba"/);
  });

  it('keeps its header as the name of other content', () => {
    expect(tags(render(), 'th').map((cell) => /aria-label="(\w+)"/.exec(cell)?.[1])).toEqual([
      undefined,
      undefined,
      'More',
    ]);
  });

  it('says that the list is sorted by it', () => {
    const sorts = (html: string) => tags(html, 'th').map((cell) => /aria-sort="(\w+)"/.exec(cell)?.[1]);
    expect(sorts(render())).toEqual([undefined, undefined, undefined]);
    expect(sorts(render({ order: 'desc' }))).toEqual(['descending', undefined, undefined]);
  });
});

describe('a table', () => {
  it('shows skeletons, or else a message, or else the rows', () => {
    expect(tags(render({ skeletonRows: 2, message: 'None' }), 'tr')).toHaveLength(3);
    expect(render({ skeletonRows: 2, message: 'None' })).not.toContain('None');
    expect(render({ message: 'None' })).toMatch(/colSpan="3".*None/s);
    expect(render({ message: 'None' })).not.toContain('North');
    expect(render()).toContain('North');
  });
});
