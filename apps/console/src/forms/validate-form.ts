/** Validates a form with a schema, for the sign-in document, which has no form library. */
import type * as z from 'zod/mini';

export type FormValidation<Input, Output> =
  | { readonly ok: true; readonly values: Output }
  | { readonly ok: false; readonly errors: Partial<Record<keyof Input, string>> };

/** Returns the parsed values, or the first message of each invalid field. */
export const validateForm = <Input extends Record<string, string>, Output>(
  schema: z.ZodMiniType<Output, Input>,
  form: Input,
): FormValidation<Input, Output> => {
  const result = schema.safeParse(form);
  if (result.success) return { ok: true, values: result.data };
  const messages = new Map<string, string>();
  for (const { path, message } of result.error.issues) {
    const field = String(path[0]);
    if (field in form && !messages.has(field)) messages.set(field, message);
  }
  return { ok: false, errors: Object.fromEntries(messages) as Partial<Record<keyof Input, string>> };
};
