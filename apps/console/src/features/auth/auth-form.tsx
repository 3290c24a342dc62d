/** Form and fields of the sign-in document. */
import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactNode,
} from 'react';
import { UsedAddress } from '../../forms/used-address.tsx';
import { EmailInput, Input, type InputProps } from '../../ui/input.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/** With method POST, a submit before hydration does not put the input into the URL. */
export function AuthForm(
  props: Pick<ComponentProps<'form'>, 'onSubmit' | 'onFocus' | 'children'>,
): React.JSX.Element {
  return <form noValidate method="post" action="/auth" className="grid gap-4" {...props} />;
}

interface AuthFieldProps extends InputProps {
  label: string;
  error?: string | undefined;
  helpText?: ReactNode;
  /** Defaults to the input of its type. */
  control?: ComponentType<InputProps>;
}

/** Labeled input, higher than the inputs of the console. */
export function AuthField({
  label,
  error,
  helpText,
  control: CustomControl,
  ...input
}: AuthFieldProps): React.JSX.Element {
  const Control = CustomControl ?? (input.type === 'password' ? PasswordInput : Input);
  return (
    <Field
      label={label}
      error={error}
      helpText={helpText}
      render={(control) => <Control {...control} size="lg" {...input} />}
    />
  );
}

/** Email field that password managers recognize as the user name. */
export function EmailField({ ref, ...props }: Omit<AuthFieldProps, 'label'>): React.JSX.Element {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current);
  // The value of the other form, or input from before hydration, which the document restores in a layout effect.
  useEffect(() => setTyped(input.current?.value ?? ''), []);
  return (
    <AuthField
      label="Email"
      name="email"
      control={EmailInput}
      autoComplete="username"
      helpText={<UsedAddress typed={typed} />}
      {...props}
      ref={input}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
