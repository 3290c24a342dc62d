/** Checks a small form against a schema, for the document that carries no form library. */
import type * as z from 'zod/mini';

export type FormCheck<Input, Output> =
  | { readonly ok: true; readonly values: Output }
  | { readonly ok: false; readonly errors: Partial<Record<keyof Input, string>> };

/** The first message of each field, as the specification's table has them. */
export const checkForm = <Input extends Record<string, string>, Output>(
  schema: z.ZodMiniType<Output, Input>,
  form: Input,
): FormCheck<Input, Output> => {
  const result = schema.safeParse(form);
  if (result.success) return { ok: true, values: result.data };
  const errors: Partial<Record<keyof Input, string>> = {};
  for (const issue of result.error.issues) {
    const field = issue.path[0];
    const isField = (name: unknown): name is keyof Input => typeof name === 'string' && name in form;
    if (isField(field) && errors[field] === undefined) errors[field] = issue.message;
  }
  return { ok: false, errors };
};
