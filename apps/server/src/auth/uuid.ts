const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the usual text form of a UUID (RFC 9562), any version. */
export const isUuid = (text: string): boolean => shape.test(text);
