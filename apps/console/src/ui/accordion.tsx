/** Headings that expand and collapse the content below them. */
import { Accordion as Primitive } from '@base-ui/react/accordion';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';

interface AccordionProps {
  items: readonly { readonly value: string; readonly title: string; readonly content: ReactNode }[];
}

export function Accordion({ items }: AccordionProps): React.JSX.Element {
  return (
    <Primitive.Root className="divide-y divide-border rounded-lg border border-border">
      {items.map((item) => (
        <Primitive.Item key={item.value} value={item.value}>
          <Primitive.Header className="flex">
            <Primitive.Trigger className="group flex min-h-11 flex-1 items-center justify-between gap-3 px-4 py-2 text-left text-sm font-medium -outline-offset-2 hover:bg-subtle">
              {item.title}
              <ChevronDown
                aria-hidden
                className="size-4 shrink-0 text-muted transition-transform duration-150 group-data-panel-open:rotate-180"
              />
            </Primitive.Trigger>
          </Primitive.Header>
          <Primitive.Panel className="px-4 pt-1 pb-4 text-sm text-muted">{item.content}</Primitive.Panel>
        </Primitive.Item>
      ))}
    </Primitive.Root>
  );
}
