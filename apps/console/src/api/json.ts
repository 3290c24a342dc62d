/** Reads JSON of unknown shape. Small, because the boot scripts use it. */

export const findField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns undefined if the text is not JSON. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the claims of an access token, not verified; undefined if it cannot be read. */
export const parseTokenClaims = (accessToken: string): unknown => {
  const [, payload = ''] = accessToken.split('.');
  try {
    return tryParseJson(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
};
