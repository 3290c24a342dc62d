/** The field for one file. */
import type { ComponentProps } from 'react';

interface FileInputProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'className' | 'onChange' | 'onClick'
> {
  onFile: (file: File) => void;
}

export function FileInput({ onFile, ...rest }: FileInputProps): React.JSX.Element {
  return (
    <input
      {...rest}
      type="file"
      className="w-full cursor-pointer rounded-md border border-input bg-raised text-sm text-foreground shadow-xs file:mr-3 file:h-9 file:cursor-pointer file:border-0 file:border-r file:border-solid file:border-input file:bg-subtle file:px-4 file:text-sm file:font-medium file:text-foreground disabled:opacity-60"
      onClick={({ currentTarget }) => {
        // The same file can be chosen again after it was corrected.
        currentTarget.value = '';
      }}
      onChange={({ target }) => {
        const [chosen] = target.files ?? [];
        if (chosen !== undefined) onFile(chosen);
      }}
    />
  );
}
