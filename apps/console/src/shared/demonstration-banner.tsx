/** Marks every screen of an instance with invented data, also in print. */
import FlaskConical from 'lucide-react/icons/flask-conical';
import { useSyncExternalStore } from 'react';
import { hasFeature } from '../api/runtime-config.ts';

const text = { label: 'Demonstration', banner: 'Demonstration: the data is invented' } as const;

/** The configuration of a document never changes. */
const subscribe = () => (): void => undefined;
const isDemonstration = (): boolean => hasFeature('demonstration');
/** The build prerenders the sign-in document for all instances. */
const isPrerenderedDemonstration = (): boolean => false;

export function DemonstrationBanner(): React.JSX.Element | null {
  const isShown = useSyncExternalStore(subscribe, isDemonstration, isPrerenderedDemonstration);
  if (!isShown) return null;
  return (
    <section
      aria-label={text.label}
      className="flex items-center gap-2 border-b border-border bg-warning-subtle px-4 py-2 text-sm text-foreground md:px-6"
    >
      <FlaskConical aria-hidden className="size-4 shrink-0 text-accent-strong" />
      <p>{text.banner}</p>
    </section>
  );
}
