/** Shows the number of unsent invitations above the list, with a button that resends all of them. */
import Send from 'lucide-react/icons/send';
import { Button } from '../../ui/button.tsx';
import { adminsText } from './admins-text.ts';
import type { Resending } from './unsent-queries.ts';

const text = adminsText.unsent;

export function UnsentNotice({ unsent, progress, pending, result, resendAll }: Resending): React.JSX.Element {
  const line = progress === null ? text.line(unsent.length) : text.progress(progress.current, progress.total);
  const isShown = unsent.length > 0 || progress !== null;
  return (
    <div className={isShown || result !== null ? 'flex flex-wrap items-center gap-3 text-sm' : 'sr-only'}>
      {/* Always rendered, because screen readers announce changes of an existing live region only. */}
      <p role="status" className="text-muted">
        {[...(progress === null && result !== null ? [result] : []), ...(isShown ? [line] : [])].join(' ')}
      </p>
      {isShown && (
        <Button
          variant="outline"
          size="sm"
          pending={pending}
          pendingLabel={adminsText.resending}
          onClick={resendAll}
        >
          <Send aria-hidden />
          {text.resendAll}
        </Button>
      )}
    </div>
  );
}
