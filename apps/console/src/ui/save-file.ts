/** Saves a file that is loaded on demand, with its progress and result as toasts. Not part of the initial bundle. */
import { dismissAction, setToastProgress, toast } from './toast.ts';

interface SaveFileOptions {
  /**
   * Identifies the action and its input, as in `toast`. A second call with the same while the first one runs does
   * nothing.
   */
  readonly action: string;
  readonly fileName: string;
  /** Loads the file; its errors have messages for users. */
  readonly load: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (bytes: number) => void;
  }) => Promise<Blob>;
  readonly text: {
    /** For example `Exporting accounts...`. */
    readonly running: string;
    /** For example `Error exporting accounts`. */
    readonly failed: string;
  };
}

const running = new Set<string>();

export const saveFile = async (options: SaveFileOptions): Promise<void> => {
  const { action, fileName, load, text } = options;
  if (running.has(action)) return;
  running.add(action);
  const abort = new AbortController();
  toast({
    action,
    title: text.running,
    persistent: true,
    button: { label: 'Cancel', onPress: () => abort.abort() },
  });
  try {
    const onProgress = throttle((bytes: number) => setToastProgress(action, formatBytes(bytes)));
    const file = await load({ signal: abort.signal, onProgress });
    startDownload(file, fileName);
    toast({ action, title: `${fileName} saved`, description: formatBytes(file.size) });
  } catch (error) {
    if (abort.signal.aborted) dismissAction(action);
    else
      toast({
        action,
        title: text.failed,
        description: error instanceof Error ? error.message : undefined,
        variant: 'destructive',
        button: { label: 'Retry', onPress: () => void saveFile(options) },
      });
  } finally {
    running.delete(action);
  }
};

/** Minimum interval in milliseconds between two updates of the progress. */
const progressIntervalMs = 250;

const throttle = (update: (bytes: number) => void): ((bytes: number) => void) => {
  let next = 0;
  return (bytes) => {
    if (performance.now() < next) return;
    next = performance.now() + progressIntervalMs;
    update(bytes);
  };
};

/** Returns for example `820 kB` or `12.4 MB`. */
export const formatBytes = (bytes: number): string => {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1_000_000 : Math.ceil(bytes / 1000));
};

/** Saves a file that is complete. */
export const startDownload = (file: Blob, fileName: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
