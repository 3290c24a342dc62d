/** The button that shows all rows of a list again. */
import { Button, type ButtonProps } from './button.tsx';
import { focusList } from './focus-list.ts';

type ClearFiltersButtonProps = Pick<ButtonProps, 'variant' | 'size'> & { onClear: () => void };

/** Disappears when it is pressed, so its table or the title of the screen gets the focus. */
export function ClearFiltersButton({ onClear, ...rest }: ClearFiltersButtonProps): React.JSX.Element {
  return (
    <Button
      variant="outline"
      size="sm"
      {...rest}
      onClick={({ currentTarget }) => {
        focusList(currentTarget);
        onClear();
      }}
    >
      Clear filters
    </Button>
  );
}
