/** A dialog with a form: its state, request, buttons and the confirmation before unsaved input is lost. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { Dialog, type DialogProps, FormActions } from '../ui/dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LeaveConfirmation, type LeaveConfirmationTexts } from './leave-confirmation.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { useDialogAction } from './use-dialog-action.ts';
import { type SubmitOptions, useSubmit } from './use-submit.ts';

interface CloseGuardProps extends LeaveConfirmationTexts {
  dirty: boolean;
  /** True while the input is being sent: closing cancels the request without a confirmation. */
  sending: boolean;
  /** Returns true if the dialog is open with these search params. */
  staysOpen: (search: Readonly<Record<string, unknown>>) => boolean;
}

interface FormDialogProps<Input extends FieldValues, Output, Result>
  extends
    Pick<DialogProps, 'open' | 'inUrl' | 'title' | 'description' | 'size' | 'finalFocus' | 'onClosed'>,
    Omit<SubmitOptions<Output, Result>, 'showInForm' | 'leaves' | 'retry'> {
  /** `confirmed`: the input is saved, so closing needs no confirmation. Closing cancels a running request. */
  onClose: (confirmed: boolean) => void;
  schema: z.ZodMiniType<Output, Input>;
  /** The values of each opening. */
  defaults: Input;
  /** Returns the fields that show an error of the service. Without it, a toast shows the error. */
  fieldErrors?: ((error: unknown) => { readonly [Name in keyof Input]?: string }) | undefined;
  /** Set it in later steps of a dialog: a new name clears the form and focuses its first field. */
  step?: string | undefined;
  /** True if a submission without changes closes the dialog and sends nothing. */
  closesUnchanged?: boolean;
  /** True if another step follows: the dialog stays open after a success. */
  hasNextStep?: boolean;
  cancelLabel?: string;
  submitLabel: string;
  pendingLabel: string;
  /** True if the submit button is red, like the button that opened the dialog. */
  destructive?: boolean;
  /**
   * The confirmation before unsaved input is lost, for dialogs whose open state is in the URL.
   * `changed`: input outside the fields has changed.
   */
  guard?: Omit<CloseGuardProps, 'dirty' | 'sending'> & { changed?: boolean };
  /** True if closing shows a confirmation before changed input is lost, for dialogs whose open state is not in the URL. */
  confirmsClose?: boolean;
  children: (form: UseFormReturn<Input, unknown, Output>) => ReactNode;
}

const discard = {
  title: 'Discard the changes?',
  description: 'The changes in this form are lost.',
  confirmLabel: 'Discard changes',
  cancelLabel: 'Keep editing',
} as const;

export function FormDialog<Input extends FieldValues, Output, Result>(
  props: FormDialogProps<Input, Output, Result>,
): React.JSX.Element {
  /** Set by the form. */
  const requestCloseRef = useRef(() => props.onClose(false));
  return (
    <Dialog
      open={props.open}
      inUrl={props.inUrl ?? props.guard !== undefined}
      title={props.title}
      description={props.description}
      size={props.size ?? 'lg'}
      finalFocus={props.finalFocus}
      onClosed={() => props.onClosed?.()}
      onOpenChange={(next) => {
        if (!next) requestCloseRef.current();
      }}
    >
      {/* The content unmounts when the dialog closes, which discards the input. */}
      <DialogForm key={props.step} {...props} requestCloseRef={requestCloseRef} />
    </Dialog>
  );
}

function DialogForm<Input extends FieldValues, Output, Result>(
  props: FormDialogProps<Input, Output, Result> & { requestCloseRef: RefObject<() => void> },
): React.JSX.Element {
  const { fieldErrors, onClose, guard, step, requestCloseRef, confirmsClose = false } = props;
  const [confirming, setConfirming] = useState(false);
  const form = useForm<Input, unknown, Output>({
    resolver: withBadInput(zodResolver(props.schema)),
    defaultValues: props.defaults as DefaultValues<Input>,
  });
  const { isDirty } = form.formState;
  const showInForm = (error: unknown): boolean => {
    const messages = Object.entries(fieldErrors?.(error) ?? {}) as [Path<Input>, string][];
    for (const [name, message] of messages) form.setError(name, { message });
    if (messages[0] !== undefined) form.setFocus(messages[0][0], { shouldSelect: true });
    return messages.length > 0;
  };
  const { pending, submit, cancel } = useSubmit<Output, Result>({
    ...props,
    showInForm,
    // The input can have changed since.
    retry: () => void form.handleSubmit(submit)(),
    done: (result, input) => {
      const texts = props.done?.(result, input);
      if (props.hasNextStep !== true) onClose(true);
      return texts;
    },
  });
  useDialogAction(props.open, cancel);
  const close = (): void => {
    if (confirmsClose && isDirty && !pending) setConfirming(true);
    else onClose(false);
  };
  useLayoutEffect(() => {
    requestCloseRef.current = close;
  });
  useEffect(() => {
    const [first] = Object.keys(form.formState.defaultValues ?? {});
    // The dialog focuses the first field of its first step itself.
    if (step === undefined || first === undefined) return undefined;
    // Base UI focuses the dialog in the frame after the focused field of the previous step has disappeared.
    const frame = requestAnimationFrame(() => form.setFocus(first as Path<Input>));
    return () => cancelAnimationFrame(frame);
  }, [form, step]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        const isBad = Array.from(event.currentTarget.elements).some(isBadInput);
        if (props.closesUnchanged !== true || isDirty || isBad) void form.handleSubmit(submit)(event);
        else {
          event.preventDefault();
          onClose(true);
        }
      }}
      className="grid gap-4"
    >
      {props.children(form)}
      <FormActions
        cancelLabel={props.cancelLabel ?? 'Cancel'}
        onCancel={close}
        submitLabel={props.submitLabel}
        pending={pending}
        pendingLabel={props.pendingLabel}
        destructive={props.destructive === true}
      />
      {confirmsClose && (
        <>
          <LeaveGuard active={isDirty && props.open} />
          <ConfirmDialog
            {...discard}
            open={confirming && props.open}
            onConfirm={() => onClose(true)}
            onCancel={() => setConfirming(false)}
          />
        </>
      )}
      {guard !== undefined && (
        <CloseGuard {...guard} dirty={(isDirty || guard.changed === true) && props.open} sending={pending} />
      )}
    </form>
  );
}

/**
 * Confirms closing the dialog with unsaved input (Cancel, Escape, Back, click outside), and navigation to another screen.
 * Does not block a navigation with `ignoreBlocker`: the user has confirmed it, or the form is saved.
 */
function CloseGuard(props: CloseGuardProps): React.JSX.Element {
  const { dirty, sending, staysOpen } = props;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && !sending && current.pathname === next.pathname && !staysOpen({ ...next.search }),
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <>
      <LeaveGuard active={dirty} />
      <LeaveConfirmation
        blocker={blocker}
        title={props.title}
        description={props.description}
        confirmLabel={props.confirmLabel}
        cancelLabel={props.cancelLabel}
      />
    </>
  );
}

const badInputMessage = 'Enter a date and a time';

/**
 * Returns true for a field of the page that is half filled: browsers give a date without its time the value '', like an
 * empty field.
 */
const isBadInput = (element: unknown): boolean =>
  element instanceof HTMLInputElement && element.isConnected && element.validity.badInput;

/** Adds the errors of half-filled fields to those of a resolver. */
const withBadInput =
  <Input extends FieldValues, Output>(
    resolver: Resolver<Input, unknown, Output>,
  ): Resolver<Input, unknown, Output> =>
  async (values, context, options) => {
    const result = await resolver(values, context, options);
    const bad = Object.entries<{ ref: unknown } | undefined>(options.fields).filter(([, field]) =>
      isBadInput(field?.ref),
    );
    if (bad.length === 0) return result;
    const errors = bad.map(([name, field]) => [
      name,
      { type: 'badInput', message: badInputMessage, ref: field?.ref },
    ]);
    return {
      values: {},
      errors: { ...result.errors, ...(Object.fromEntries(errors) as FieldErrors<Input>) },
    };
  };
