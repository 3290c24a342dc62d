/** The button that shows all rows of a list again. */
import { Button, type ButtonProps } from './button.tsx';
import { screenTitleId } from './screen-header.tsx';

type ClearFiltersButtonProps = Pick<ButtonProps, 'variant' | 'size'> & { onClear: () => void };

/** Disappears when it is pressed, so its table or the title of the screen gets the focus. */
export function ClearFiltersButton({ onClear, ...rest }: ClearFiltersButtonProps): React.JSX.Element {
  return (
    <Button
      variant="outline"
      size="sm"
      {...rest}
      onClick={({ currentTarget }) => {
        const table = currentTarget.closest<HTMLElement>('section[tabindex]');
        (table ?? document.getElementById(screenTitleId))?.focus();
        onClear();
      }}
    >
      Clear filters
    </Button>
  );
}
