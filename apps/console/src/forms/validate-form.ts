/** Validates a form with a schema, for the sign-in document, which has no form library. */
import type * as z from 'zod/mini';

/** Invalid input of a form. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** The first message of each invalid field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields)[0]);
    this.fields = fields;
  }
}

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
