/** Copying with an answer at the place: `copied` holds for two seconds (specification section 9). */
import { useEffect, useState } from 'react';

const copiedDuration = 2000;

interface Copy {
  copied: boolean;
  /** @returns false when the browser refuses the clipboard. */
  copy: (text: string) => Promise<boolean>;
}

export function useCopyToClipboard(): Copy {
  // A counter, so that copying again starts the two seconds again.
  const [copies, setCopies] = useState(0);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedDuration);
    return () => clearTimeout(timer);
  }, [copies]);
  return {
    copied,
    copy: async (text) => {
      const done = await writeToClipboard(text);
      if (done) {
        setCopied(true);
        setCopies((count) => count + 1);
      }
      return done;
    },
  };
}

/** The clipboard interface exists only on https and localhost; the old command is the way elsewhere. */
const writeToClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
};

const copyBySelection = (text: string): boolean => {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Inside an open dialog, because its focus trap would take the focus from anywhere else.
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy'); // oxlint-disable-line typescript/no-deprecated -- the newer interface needs https, and huts have plain http
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
};
