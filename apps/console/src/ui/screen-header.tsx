/** The top of a screen: its name, and on the right its one primary action. */
import type { ReactNode } from 'react';

/** Navigation moves the focus to the element with this id. */
export const screenTitleId = 'screen-title';

interface ScreenHeaderProps {
  title: string;
  description?: string;
  action?: ReactNode;
}

export function ScreenHeader({ title, description, action }: ScreenHeaderProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="grid min-w-0">
        <h1
          id={screenTitleId}
          tabIndex={-1}
          // As high as the button beside it, so that both stand on one line.
          className="text-xl leading-9 font-semibold tracking-tight text-foreground"
        >
          {title}
        </h1>
        {description !== undefined && <p className="text-sm text-muted">{description}</p>}
      </div>
      {action}
    </div>
  );
}
