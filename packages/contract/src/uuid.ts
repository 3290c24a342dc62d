const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for the text form of a UUID (RFC 9562) of any version. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
