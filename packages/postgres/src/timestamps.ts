/** Parses timestamps as dates, including `infinity`, for which the parser of the driver returns a number. */
import pg from 'pg';

/** The earliest and the latest date that all date formats of the APIs can represent. */
const maxTimestamp = '9999-12-31T23:59:59.999Z';
const minTimestamp = '0001-01-01T00:00:00.000Z';

const timestamptz = pg.types.builtins.TIMESTAMPTZ;
const parse: (text: string) => unknown = pg.types.getTypeParser(timestamptz, 'text');

function parseTimestamp(text: string): unknown {
  if (text === 'infinity') return new Date(maxTimestamp);
  return text === '-infinity' ? new Date(minTimestamp) : parse(text);
}

export const timestampsAsDates: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === timestamptz && format !== 'binary' ? parseTimestamp : pg.types.getTypeParser(oid, format),
};
