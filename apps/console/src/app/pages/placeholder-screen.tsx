/** Placeholder for the four screens without a function. */
import { navigationEntries } from '../navigation.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';

interface PlaceholderScreenProps {
  /** Label of the sidebar entry, which provides the icon. */
  title: string;
  text: string;
}

export function PlaceholderScreen({ title, text }: PlaceholderScreenProps): React.JSX.Element {
  const Icon = navigationEntries.find(({ label }) => label === title)?.icon;
  return (
    <div className="grid gap-6">
      <ScreenHeader title={title} />
      <div className="rounded-lg border border-dashed border-border bg-surface">
        <EmptyState icon={Icon === undefined ? undefined : <Icon />} title={text} />
      </div>
    </div>
  );
}
