/** A progress bar in percent. */
interface ProgressProps {
  label: string;
  /** 0 to 100. */
  value: number;
}

export function Progress({ label, value }: ProgressProps): React.JSX.Element {
  const percent = Math.round(Math.min(100, Math.max(0, value)));
  return (
    <div className="grid gap-1.5">
      <div aria-hidden className="flex justify-between text-sm">
        <span>{label}</span>
        <span className="text-muted">{percent} %</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full border border-input bg-subtle"
      >
        <div
          className="h-full origin-left bg-primary transition-transform duration-200"
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      </div>
    </div>
  );
}
