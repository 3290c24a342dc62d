/** Parses the `Prefer` header (RFC 7240; PostgREST documentation, "Prefer Header"). */
import { RestError } from '../errors.ts';
import { isTimeZone } from './time-zone.ts';
import type { Method } from '../plan/query-types.ts';

export interface Preferences {
  readonly return: 'minimal' | 'headers-only' | 'representation' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly tx: 'commit' | 'rollback' | null;
  readonly handling: 'strict' | 'lenient' | null;
  readonly timezone: string | null;
  readonly maxAffected: number | null;
}

type Name = Exclude<keyof Preferences, 'timezone' | 'maxAffected'>;

const choices: { readonly [N in Name]: readonly NonNullable<Preferences[N]>[] } = {
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
};

const noPreferences: Preferences = {
  return: null,
  count: null,
  resolution: null,
  missing: null,
  tx: null,
  handling: null,
  timezone: null,
  maxAffected: null,
};

/**
 * Parses the header. If a preference is repeated, the first value applies.
 *
 * @throws RestError 400 PGRST122 for unknown preferences with `handling=strict`; 400 22023, the error of Postgres, for an
 *   unknown time zone
 */
export function parsePreferences(header: string | null): Preferences {
  if (header === null || header === '') return noPreferences;
  const found: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const token of header.split(',').map((part) => part.trim())) {
    if (token === '') continue;
    const entry = parsePreference(token);
    if (!entry) unknown.push(token);
    else if (!Object.hasOwn(found, entry[0])) found[entry[0]] = entry[1];
  }
  const preferences = { ...noPreferences, ...found } as Preferences;
  if (preferences.handling === 'strict' && unknown.length > 0) {
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    });
  }
  return preferences;
}

function parsePreference(token: string): [string, unknown] | null {
  const equals = token.indexOf('=');
  if (equals < 0) return null;
  const name = token.slice(0, equals);
  const value = token.slice(equals + 1);
  if (name === 'timezone') {
    if (isTimeZone(value)) return ['timezone', value];
    throw new RestError(400, '22023', `invalid value for parameter "TimeZone": "${value.slice(0, 100)}"`);
  }
  if (name === 'max-affected' && /^\d{1,15}$/.test(value)) return ['maxAffected', Number(value)];
  const allowed: readonly string[] | undefined = Object.hasOwn(choices, name)
    ? choices[name as Name]
    : undefined;
  return allowed?.includes(value) ? [name, value] : null;
}

/** The properties of a request that determine which preferences apply. */
export interface PreferenceContext {
  readonly method: Method;
  readonly call: boolean;
  /** True if the write is an upsert with a conflict target. */
  readonly resolution: boolean;
  readonly txOverride: boolean;
}

/** Returns the `Preference-Applied` header; null if no preference applies. */
export function appliedPreferences(preferences: Preferences, context: PreferenceContext): string | null {
  const post = context.method === 'POST' && !context.call;
  const patch = context.method === 'PATCH';
  const write = post || patch || context.method === 'PUT' || context.method === 'DELETE';
  const strict = preferences.handling === 'strict';
  const entries: [string, string | number | null, boolean][] = [
    ['resolution', preferences.resolution, post && context.resolution],
    ['missing', preferences.missing, post || patch],
    ['return', preferences.return, write],
    ['count', preferences.count, true],
    ['tx', preferences.tx, context.txOverride],
    ['handling', preferences.handling, true],
    ['timezone', preferences.timezone, true],
    [
      'max-affected',
      preferences.maxAffected,
      strict && (patch || context.method === 'DELETE' || context.call),
    ],
  ];
  const applied = entries.filter(([, value, isApplied]) => value !== null && isApplied);
  return applied.length === 0 ? null : applied.map(([name, value]) => `${name}=${value}`).join(', ');
}
