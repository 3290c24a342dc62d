/** Copies text to the clipboard; `copied` is true for two seconds afterwards. */
import { useEffect, useState } from 'react';

const copiedDurationMs = 2000;

interface Copy {
  copied: boolean;
  /** @returns false if the browser blocked copying */
  copy: (text: string) => Promise<boolean>;
}

export function useCopyToClipboard(): Copy {
  // A counter, so that another copy restarts the timer.
  const [copies, setCopies] = useState(0);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedDurationMs);
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

/** Falls back to `execCommand`, because the Clipboard API requires HTTPS or localhost. */
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
  // Inside an open dialog, because its focus trap moves the focus away from elements outside.
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy'); // oxlint-disable-line typescript/no-deprecated -- the Clipboard API requires HTTPS
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
};
