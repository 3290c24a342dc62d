/** The picture of a user, or their initials if there is no picture or it fails to load. */
import { useState } from 'react';
import { cx } from './cx.ts';

const variants = {
  default: 'size-9 bg-subtle text-xs text-foreground',
  sidebar: 'size-7 bg-sidebar-active text-2xs text-sidebar-foreground',
};

/**
 * Returns the first letters of the first and last word of a name in upper case, or the first letter of an
 * email address. Counts grapheme clusters, so that a flag or a letter with a combining accent is one letter.
 */
export const initials = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return ends
    .map((word) => segments.segment(word ?? '').containing(0)?.segment ?? '')
    .join('')
    .toUpperCase();
};

interface AvatarProps {
  name: string;
  src?: string;
  variant?: keyof typeof variants;
}

export function Avatar({ name, src, variant = 'default' }: AvatarProps): React.JSX.Element {
  const [failedSrc, setFailedSrc] = useState<string>();
  return (
    <span
      role="img"
      aria-label={name}
      className={cx(
        'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-semibold select-none',
        variants[variant],
      )}
    >
      {src === undefined || src === failedSrc ? (
        <span aria-hidden>{initials(name)}</span>
      ) : (
        <img src={src} alt="" className="size-full object-cover" onError={() => setFailedSrc(src)} />
      )}
    </span>
  );
}
