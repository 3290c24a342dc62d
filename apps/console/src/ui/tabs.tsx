/** Tabs with panels; arrow keys select a tab. */
import { Tabs as Primitive } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly {
    readonly value: string;
    readonly label: string;
    /** Number of items in the panel. */
    readonly count?: string | undefined;
    readonly content: ReactNode;
  }[];
  /** Value of the tab that is selected first; undefined for the first one. */
  initial?: string | undefined;
  /** True if hidden panels keep their content and load it at once. */
  keepMounted?: boolean;
}

export function Tabs({ label, tabs, initial, keepMounted = false }: TabsProps): React.JSX.Element {
  return (
    <Primitive.Root defaultValue={initial ?? tabs[0]?.value} className="grid gap-4">
      <Primitive.List
        aria-label={label}
        activateOnFocus
        className="flex w-fit max-w-full gap-1 overflow-x-auto rounded-md border border-border bg-subtle p-1"
      >
        {tabs.map((tab) => (
          <Primitive.Tab
            key={tab.value}
            value={tab.value}
            className="h-7 rounded-sm px-3 text-sm font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-foreground data-active:bg-raised data-active:text-foreground data-active:shadow-xs"
          >
            {tab.label}
            {/* The space separates the words of the accessible name. */}
            {tab.count !== undefined && <span className="tabular-nums"> {tab.count}</span>}
          </Primitive.Tab>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Panel key={tab.value} value={tab.value} keepMounted={keepMounted} className="text-sm">
          {tab.content}
        </Primitive.Panel>
      ))}
    </Primitive.Root>
  );
}
