/**
 * Formats of setting values that several packages have. A message is appended to the name of the setting. `values` in the
 * metadata describes the permitted values for the reference.
 */
import * as z from 'zod';

export const flag = z
  .stringbool({
    truthy: ['on', 'true'],
    falsy: ['off', 'false'],
    case: 'sensitive',
    error: 'must be on or off',
  })
  .meta({ values: '`on`, `off`' });

export const integer = (minimum: number, maximum: number) => {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number({ error }).min(minimum, error).max(maximum, error))
    .meta({ values: `${minimum} to ${maximum}` });
};

export const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .meta({ values: 'list' });
