/** Parses the `Accept` header to a response format (PostgREST documentation, "Resource Representation"). */
import { RestError } from '../errors.ts';
import { explainOptions, type ExplainFormat } from '../plan/query-types.ts';

export interface ResponseFormat {
  readonly shape: 'array' | 'object' | 'csv' | 'geojson';
  readonly stripNulls: boolean;
  /** Options of EXPLAIN if the response is the query plan; otherwise null. */
  readonly explain: ExplainFormat | null;
  readonly contentType: string;
}

const json: ResponseFormat = {
  shape: 'array',
  stripNulls: false,
  explain: null,
  contentType: 'application/json; charset=utf-8',
};

/** Optional formats. */
export interface OfferedFormats {
  /** True if query plans are enabled. */
  readonly explain: boolean;
  /** True if PostGIS is installed, which GeoJSON requires. */
  readonly geoJson: boolean;
}

/**
 * Returns the format of the acceptable entry with the highest quality.
 *
 * @throws RestError 406 PGRST107
 */
export function parseAccept(header: string | null, offered: OfferedFormats): ResponseFormat {
  if (header === null || header === '' || header === '*/*' || header === 'application/json') return json;
  return firstAcceptable(header, ({ type, parameters }) => findFormat(type, parameters, offered));
}

const openApiFormat: ResponseFormat = { ...json, contentType: 'application/openapi+json; charset=utf-8' };
const openApiTypes = new Set(['*/*', 'application/*', 'application/json', 'application/openapi+json']);

/**
 * Returns the format of the OpenAPI document, which has a single media type.
 *
 * @throws RestError 406 PGRST107
 */
export function parseOpenApiAccept(header: string | null): ResponseFormat {
  if (header === null || header === '') return openApiFormat;
  return firstAcceptable(header, ({ type }) => (openApiTypes.has(type) ? openApiFormat : null));
}

function firstAcceptable(header: string, formatFor: (entry: Entry) => ResponseFormat | null): ResponseFormat {
  const entries = splitOutsideQuotes(header, ',')
    .map((entry) => parseEntry(entry))
    .filter((entry) => entry.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const entry of entries) {
    const format = formatFor(entry);
    if (format) return format;
  }
  throw new RestError(406, 'PGRST107', `None of these media types are available: ${header}`);
}

interface Entry {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

function parseEntry(text: string): Entry {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      parameters.set(
        part.slice(0, equals).trim().toLowerCase(),
        part
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      );
    }
  }
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), quality: Number.isFinite(quality) ? quality : 0, parameters };
}

function findFormat(
  type: string,
  parameters: ReadonlyMap<string, string>,
  offered: OfferedFormats,
): ResponseFormat | null {
  const stripNulls = parameters.get('nulls') === 'stripped';
  const suffix = `${stripNulls ? ';nulls=stripped' : ''}; charset=utf-8`;
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return json;
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return {
        ...json,
        shape: 'object',
        stripNulls,
        contentType: `application/vnd.pgrst.object+json${suffix}`,
      };
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripNulls
        ? { ...json, stripNulls, contentType: `application/vnd.pgrst.array+json${suffix}` }
        : json;
    case 'text/csv':
    case 'text/*':
      return { ...json, shape: 'csv', contentType: 'text/csv; charset=utf-8' };
    case 'application/geo+json':
      return offered.geoJson
        ? { ...json, shape: 'geojson', contentType: 'application/geo+json; charset=utf-8' }
        : null;
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json':
      return offered.explain
        ? explainFormat(type.endsWith('+json') ? 'json' : 'text', parameters, offered)
        : null;
    default:
      return null;
  }
}

function explainFormat(
  format: 'json' | 'text',
  parameters: ReadonlyMap<string, string>,
  offered: OfferedFormats,
): ResponseFormat | null {
  const resultType = parameters.get('for') ?? 'application/json';
  const resultFormat = findFormat(resultType.toLowerCase(), new Map(), { ...offered, explain: false });
  if (!resultFormat) return null;
  const requested = (parameters.get('options') ?? '').split('|').map((option) => option.trim());
  const options = explainOptions.filter((option) => requested.includes(option));
  const listed = options.length > 0 ? `; options=${options.join('|')}` : '';
  return {
    ...resultFormat,
    explain: { format, options },
    contentType: `application/vnd.pgrst.plan+${format}; for="${resultType}"${listed}; charset=utf-8`,
  };
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let current = '';
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) {
      parts.push(current);
      current = '';
    } else current += character;
  }
  return [...parts, current];
}
