/** The four screens that only say what is to come. */
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';

interface PlaceholderScreenProps {
  title: string;
  text: string;
}

export function PlaceholderScreen({ title, text }: PlaceholderScreenProps): React.JSX.Element {
  return (
    <div className="grid gap-6">
      <ScreenHeader title={title} />
      <div className="rounded-lg border border-dashed border-border bg-surface">
        <EmptyState title={text} />
      </div>
    </div>
  );
}
