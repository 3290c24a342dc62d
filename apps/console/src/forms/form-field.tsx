/** A text field of a form, with its label and error. */
import type { ComponentType, ReactNode } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { Field } from '../ui/field.tsx';
import { Input as TextInput, type InputProps } from '../ui/input.tsx';

interface FormFieldProps<Input extends FieldValues, Output> extends Omit<InputProps, 'form' | 'name'> {
  form: UseFormReturn<Input, unknown, Output>;
  name: Path<Input>;
  label: string;
  helpText?: ReactNode;
  /** Defaults to `Input`. */
  control?: ComponentType<InputProps>;
}

/** Further properties go to the input. */
export function FormField<Input extends FieldValues, Output>({
  form,
  name,
  label,
  helpText,
  control: Control = TextInput,
  ...input
}: FormFieldProps<Input, Output>): React.JSX.Element {
  return (
    <Field
      label={label}
      error={form.getFieldState(name, form.formState).error?.message}
      helpText={helpText}
      render={(control) => (
        <Control
          autoComplete="off"
          // Input typed while the form is being sent would not be saved.
          readOnly={form.formState.isSubmitting}
          {...input}
          {...control}
          {...form.register(name)}
        />
      )}
    />
  );
}
