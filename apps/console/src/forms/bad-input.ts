/** Finds half-filled fields: browsers give a date without its time the value '', like an empty field. */
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';

const message = 'Enter a date and a time';

/** Returns true for a field of the page whose text has no value. */
export const isBadInput = (element: unknown): boolean =>
  element instanceof HTMLInputElement && element.isConnected && element.validity.badInput;

/** Adds the errors of half-filled fields to those of a resolver. */
export const withBadInput =
  <Input extends FieldValues, Output>(
    resolver: Resolver<Input, unknown, Output>,
  ): Resolver<Input, unknown, Output> =>
  async (values, context, options) => {
    const result = await resolver(values, context, options);
    const bad = Object.entries<{ ref: unknown } | undefined>(options.fields).filter(([, field]) =>
      isBadInput(field?.ref),
    );
    if (bad.length === 0) return result;
    const errors = bad.map(([name, field]) => [name, { type: 'badInput', message, ref: field?.ref }]);
    return {
      values: {},
      errors: { ...result.errors, ...(Object.fromEntries(errors) as FieldErrors<Input>) },
    };
  };
