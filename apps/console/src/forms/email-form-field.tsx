/** An email field of a form, which shows the address that is used. */
import { useWatch, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { EmailInput } from '../ui/input.tsx';
import { FormField } from './form-field.tsx';
import { UsedAddress } from './used-address.tsx';

interface EmailFormFieldProps<Input extends FieldValues, Output> {
  form: UseFormReturn<Input, unknown, Output>;
  name: Path<Input>;
  label: string;
}

export function EmailFormField<Input extends FieldValues, Output>({
  form,
  name,
  label,
}: EmailFormFieldProps<Input, Output>): React.JSX.Element {
  const typed: unknown = useWatch({ control: form.control, name });
  return (
    <FormField
      form={form}
      name={name}
      label={label}
      control={EmailInput}
      helpText={<UsedAddress typed={typeof typed === 'string' ? typed : ''} />}
    />
  );
}
