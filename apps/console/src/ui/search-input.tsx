/** A search box. Escape clears it first, before it closes a panel or dialog. */
import Search from 'lucide-react/icons/search';
import { cx } from './cx.ts';
import { Input } from './input.tsx';

interface SearchInputProps {
  value: string;
  onValueChange: (value: string) => void;
  placeholder: string;
  /** Accessible name. Defaults to the placeholder. */
  label?: string;
  /** In UTF-16 code units. */
  maxLength?: number;
  className?: string;
}

export function SearchInput({
  value,
  onValueChange,
  placeholder,
  label,
  maxLength,
  className,
}: SearchInputProps): React.JSX.Element {
  return (
    <search className={cx('relative block', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label ?? placeholder}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onValueChange('');
        }}
        className="truncate pl-9"
      />
    </search>
  );
}
