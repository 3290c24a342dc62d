/** A section of the styleguide with a title. */
import { type ReactNode, useId } from 'react';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '../../ui/card.tsx';

interface DemoSectionProps {
  title: string;
  description?: string;
  /** True for the full width of the screen. */
  wide?: boolean;
  children: ReactNode;
}

export function DemoSection({
  title,
  description,
  wide = false,
  children,
}: DemoSectionProps): React.JSX.Element {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={wide ? 'min-w-0 xl:col-span-2' : 'min-w-0'}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
        {description !== undefined && <CardDescription>{description}</CardDescription>}
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}

/** Elements in a row. */
export function DemoRow({ children }: { children: ReactNode }): React.JSX.Element {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}
