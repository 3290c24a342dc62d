/** Copies text to the clipboard, and shows a toast if the browser blocks it. */
import { toast, type ToastTexts } from './toast.ts';
import { useCopyToClipboard } from './use-copy-to-clipboard.ts';

const blockedTexts: ToastTexts = {
  title: 'Your browser blocked copying. Select the text on the page instead.',
};

interface CopyWithToastOptions {
  /** `action` of the toasts. */
  action: string;
  /** Without it, a successful copy shows no toast. */
  succeeded?: ToastTexts;
  /** The default tells the user to select the text on the page. */
  blocked?: ToastTexts;
}

interface CopyWithToast {
  /** True for two seconds after a copy. */
  copied: boolean;
  copy: (text: string) => void;
}

export function useCopyWithToast(options: CopyWithToastOptions): CopyWithToast {
  const { action, succeeded, blocked = blockedTexts } = options;
  const { copied, copy } = useCopyToClipboard();
  return {
    copied,
    copy: (text) => {
      void copy(text).then((isCopied) => {
        if (!isCopied) toast({ action, ...blocked, variant: 'destructive' });
        else if (succeeded !== undefined) toast({ action, ...succeeded });
      });
    },
  };
}
