/** Settings of the Data API. The names are those of the environment variables in docs/configuration.md. */
export interface RestSettings {
  /** Exposed schemas; the first is the default. */
  readonly EXPOSED_SCHEMAS: readonly string[];
  /** Schemas searched for functions and operators. */
  readonly EXTRA_SEARCH_PATH: readonly string[];
  /** Maximum rows per response, also in embeds. */
  readonly MAX_ROWS: number;
  /** Allows aggregate functions in `select`. */
  readonly AGGREGATES: boolean;
  /** Allows clients to request query plans. */
  readonly PLAN: boolean;
  /** Supports `Prefer: tx=rollback`. */
  readonly TX_OVERRIDE: boolean;
  /** Rejects PATCH and DELETE without a filter. */
  readonly REQUIRE_FILTER: boolean;
  /** Maximum nesting of embeds. */
  readonly EMBED_DEPTH: number;
  /** Maximum nesting of `and` and `or`. */
  readonly LOGIC_DEPTH: number;
  /** Maximum duration of a statement, in milliseconds. */
  readonly STATEMENT_TIMEOUT: number;
  /** The same for the anonymous role. */
  readonly ANON_STATEMENT_TIMEOUT: number;
  /** Maximum size of a request body, in bytes. */
  readonly BODY_LIMIT: number;
  /** Sets `request.method`, `request.path`, `request.headers` and `request.cookies` for SQL functions. */
  readonly REQUEST_SETTINGS: boolean;
}

export const defaultRestSettings: RestSettings = {
  EXPOSED_SCHEMAS: ['public'],
  EXTRA_SEARCH_PATH: ['public'],
  MAX_ROWS: 1000,
  AGGREGATES: false,
  PLAN: false,
  TX_OVERRIDE: false,
  REQUIRE_FILTER: true,
  EMBED_DEPTH: 5,
  LOGIC_DEPTH: 32,
  STATEMENT_TIMEOUT: 8000,
  ANON_STATEMENT_TIMEOUT: 3000,
  BODY_LIMIT: 1_048_576,
  REQUEST_SETTINGS: false,
};
