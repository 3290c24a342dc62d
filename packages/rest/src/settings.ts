/** Settings of the Data API, keyed by the names of the environment variables. They are parsed from text. */
import { flag, integer, list } from '@lanternrock/postgres/setting-formats';
import * as z from 'zod';

/** Metadata: `about` describes the setting for the reference; `compat` is the default with `PROFILE=compat`. */
export const restSettings = z.object({
  EXPOSED_SCHEMAS: list
    .default(['public'])
    .meta({ about: 'Schemas of the Data API; the first is the default.' }),
  EXTRA_SEARCH_PATH: list
    .default(['public'])
    .meta({ about: 'Schemas searched for functions and operators.' }),
  MAX_ROWS: integer(1, 1_000_000).default(1000).meta({ about: 'Maximum rows per response and per embed.' }),
  AGGREGATES: flag
    .default(false)
    .meta({ about: 'on: aggregate functions such as count() and sum() in select.', compat: true }),
  PLAN: flag.default(false).meta({ about: 'on: query plans can be requested with the Accept header.' }),
  TX_OVERRIDE: flag.default(false).meta({ about: 'on: Prefer: tx=rollback is supported.', compat: true }),
  REQUIRE_FILTER: flag
    .default(true)
    .meta({ about: 'on: reject PATCH and DELETE without a filter.', compat: false }),
  EMBED_DEPTH: integer(1, 50).default(5).meta({ about: 'Maximum nesting of embeds.' }),
  LOGIC_DEPTH: integer(1, 1000).default(32).meta({ about: 'Maximum nesting of and/or.' }),
  STATEMENT_TIMEOUT: integer(100, 600_000)
    .default(8000)
    .meta({ about: 'Maximum statement duration, in ms.' }),
  ANON_STATEMENT_TIMEOUT: integer(100, 600_000)
    .default(3000)
    .meta({ about: 'Statement timeout of anonymous requests whose role or function sets none, in ms.' }),
  BODY_LIMIT: integer(1024, 104_857_600)
    .default(1_048_576)
    .meta({ about: 'Maximum size of a request body, in bytes.' }),
  RESPONSE_LIMIT: integer(1024, 268_435_456)
    .default(67_108_864)
    .meta({ about: 'Maximum size of the rows of one response, in bytes.' }),
  REQUEST_SETTINGS: flag.default(false).meta({
    about: 'on: SQL functions can read request.method, request.path, request.headers and request.cookies.',
  }),
});

export type RestSettings = Readonly<z.output<typeof restSettings>>;

export const defaultRestSettings: RestSettings = restSettings.parse({});
