/** The header of a screen: its title, and its primary action on the right. */
import type { ReactNode } from 'react';

/** ID of the element that gets the focus after a navigation. */
export const screenTitleId = 'screen-title';

interface ScreenHeaderProps {
  title: string;
  description?: string;
  action?: ReactNode;
}

export function ScreenHeader({ title, description, action }: ScreenHeaderProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="grid min-w-0 grow">
        <h1
          id={screenTitleId}
          tabIndex={-1}
          // The same height as the button next to it, so that both are aligned.
          className="text-xl leading-9 font-semibold tracking-tight text-foreground"
        >
          {title}
        </h1>
        {/* It wraps, so that a long one does not move the action below it. */}
        {description !== undefined && <p className="w-0 min-w-full text-sm text-muted">{description}</p>}
      </div>
      {action}
    </div>
  );
}
