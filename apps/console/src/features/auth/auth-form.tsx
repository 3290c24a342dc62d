/** What the forms around signing in share: the frame and the fields. */
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/** Method and action only matter for a submit before hydration: nothing then leaks into the address. */
export function AuthForm(
  props: Pick<ComponentProps<'form'>, 'onSubmit' | 'onFocus' | 'children'>,
): React.JSX.Element {
  return <form noValidate method="post" action="/auth" className="grid gap-4" {...props} />;
}

interface AuthFieldProps extends ComponentProps<'input'> {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
}

/** A labelled input, a little higher than those of the console. */
export function AuthField({ label, error, hint, className, ...input }: AuthFieldProps): React.JSX.Element {
  const Control = input.type === 'password' ? PasswordInput : Input;
  return (
    <Field
      label={label}
      error={error}
      helpText={hint}
      render={(control) => <Control {...control} {...input} className={cx('h-10', className)} />}
    />
  );
}

/** The address by which password managers know the account. */
export function EmailField(props: Omit<AuthFieldProps, 'label'>): React.JSX.Element {
  return (
    <AuthField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
