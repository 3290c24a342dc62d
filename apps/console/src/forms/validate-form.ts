/** Validates a form with a schema, for the sign-in document, which has no form library. */
import type * as z from 'zod/mini';
import { InputError } from './use-uncontrolled-form.ts';

/** Returns the parsed values. @throws InputError */
export const validateForm = <Output>(schema: z.ZodMiniType<Output>, form: object): Output => {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const messages = new Map<string, string>();
  for (const { path, message } of result.error.issues) {
    const field = String(path[0]);
    if (!messages.has(field)) messages.set(field, message);
  }
  throw new InputError(Object.fromEntries(messages));
};
