/** Dialog for the end date of a role or of a membership. */
import type { DialogProps } from '../../ui/dialog.tsx';
import type { ToastTexts } from '../../ui/toast.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { toTimeInput } from '../../ui/input-time.ts';
import { EndDateField } from './end-date-field.tsx';
import { endDateText as text } from './end-date-text.ts';
import { endDateSchema } from './end-date.ts';

interface EndDateDialogProps<Result> {
  open: boolean;
  title: string;
  description: string;
  /** The stored end date (RFC 3339), which closing without a change keeps; null for none. */
  endsAt: string | null;
  /** True if saving changes more than the end date, so that an unchanged one is sent, too. */
  sendsUnchanged?: boolean;
  action: string;
  /** @param endsAt RFC 3339; null for no end date */
  send: (endsAt: string | null, signal: AbortSignal) => Promise<Result>;
  done: (result: Result, endsAt: string | null) => ToastTexts | undefined;
  onSettled?: () => unknown;
  submitLabel?: string;
  finalFocus: DialogProps['finalFocus'];
  onClose: () => void;
}

export function EndDateDialog<Result>(props: EndDateDialogProps<Result>): React.JSX.Element {
  const { endsAt } = props;
  return (
    <FormDialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      size="md"
      finalFocus={props.finalFocus}
      schema={endDateSchema}
      defaults={{ ends_at: endsAt === null ? '' : toTimeInput(new Date(endsAt)) }}
      action={props.action}
      repeatable
      closesUnchanged={props.sendsUnchanged !== true}
      confirmsClose
      send={({ ends_at: end }, signal) => props.send(end, signal)}
      done={(result, { ends_at: end }) => props.done(result, end)}
      failed={text.failed}
      onSettled={() => props.onSettled?.()}
      submitLabel={props.submitLabel ?? text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => <EndDateField form={form} label={text.until} />}
    </FormDialog>
  );
}
