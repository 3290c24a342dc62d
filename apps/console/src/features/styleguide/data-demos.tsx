/** Demos of the data table and the dual list box. */
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/column.tsx';
import { type DataFilter, DataTable } from '../../ui/data-table.tsx';
import { createDualList } from '../../ui/dual-list.ts';
import { DualListBox } from '../../ui/dual-list-box.tsx';
import { DemoSection } from './demo-section.tsx';
import { type SampleRow, sampleRows } from './sample-rows.ts';

const columns: readonly Column<SampleRow>[] = [
  { key: 'name', header: 'Name', cell: (row) => <span className="font-medium">{row.name}</span> },
  { key: 'email', header: 'Email', text: (row) => row.email },
  { key: 'role', header: 'Role', cell: (row) => row.role },
  {
    key: 'status',
    header: 'Status',
    cell: (row) => <Badge variant={row.status === 'Active' ? 'secondary' : 'outline'}>{row.status}</Badge>,
  },
];

const options = (first: string, ...values: readonly string[]) => [
  { value: 'all', label: first },
  ...values.map((value) => ({ value, label: value })),
];

const filters: readonly DataFilter<SampleRow>[] = [
  { key: 'role', label: 'Role', options: options('All roles', 'Admin', 'User'), value: (row) => row.role },
  {
    key: 'status',
    label: 'Status',
    options: options('All statuses', 'Active', 'Inactive'),
    value: (row) => row.status,
  },
];

export function DataTableDemo(): React.JSX.Element {
  return (
    <DemoSection title="Data Table" description="Search, filters and pages. All rows are sample data." wide>
      <DataTable
        label="Sample users"
        columns={columns}
        rows={sampleRows}
        rowKey={(row) => row.id}
        search={{ placeholder: 'Search users...', text: (row) => `${row.name} ${row.email}` }}
        filters={filters}
      />
    </DemoSection>
  );
}

const organizationTypes = [
  'Search and Rescue',
  'Lifeguard Service',
  'Park Service',
  'Event Medical',
  'Ski Patrol',
  'Harbor Master',
].map((label) => ({ value: label.toLowerCase().replaceAll(' ', '-'), label }));

export function DualListDemo(): React.JSX.Element {
  const [lists, setLists] = useState(() =>
    createDualList(organizationTypes, ['ski-patrol', 'harbor-master']),
  );
  return (
    <DemoSection
      title="Dual List Box"
      description="Assign organization types: select items, then move them. Double-click or press Enter to move one item."
      wide
    >
      <DualListBox value={lists} onValueChange={setLists} />
    </DemoSection>
  );
}
