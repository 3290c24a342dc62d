/** The names that users give to factors, passkeys and recovery codes, and by which they recognize the methods of others. */
import {
  countCodePoints,
  noControlCharacters,
  noDirectionControls,
  visibleText,
} from '@lanternrock/contract/text-checks';
import * as z from 'zod/mini';
import { AuthError } from '../auth-error.ts';
import type { RequestBody } from '../http/request-body.ts';

const nameField = z.string().check(
  z.trim(),
  visibleText('A name needs a visible character'),
  noControlCharacters,
  noDirectionControls,
  // Half of a surrogate pair cannot be stored or be part of a URI.
  z.refine((text) => !/\p{Surrogate}/u.test(text), { error: 'The text is not valid Unicode' }),
);

/**
 * Returns the trimmed text of a field; '' if it is absent.
 *
 * @param maxLength in code points
 * @throws AuthError 400 `validation_failed`
 */
export function readMethodName(
  body: RequestBody,
  field: 'friendly_name' | 'issuer',
  maxLength: number,
): string {
  const { data = '', error } = nameField.safeParse(body.getString(field));
  const problem =
    error?.issues[0]?.message ??
    (countCodePoints(data) > maxLength ? `More than ${maxLength} characters` : null);
  if (problem === null) return data;
  throw new AuthError(400, 'validation_failed', `${field}: ${problem}`);
}
