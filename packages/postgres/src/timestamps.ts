/** Reads timestamps as dates, `infinity` included: the driver's own parser returns a number for it. */
import pg from 'pg';

/** The last moment that every date format of our APIs can express. */
const endOfTime = '9999-12-31T23:59:59.999Z';
const startOfTime = '0001-01-01T00:00:00.000Z';

const timestamptz = pg.types.builtins.TIMESTAMPTZ;
const parse: (text: string) => unknown = pg.types.getTypeParser(timestamptz, 'text');

function parseTimestamp(text: string): unknown {
  if (text === 'infinity') return new Date(endOfTime);
  return text === '-infinity' ? new Date(startOfTime) : parse(text);
}

export const timestampsAsDates: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === timestamptz && format !== 'binary' ? parseTimestamp : pg.types.getTypeParser(oid, format),
};
