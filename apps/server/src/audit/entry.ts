/**
 * The text form of an audit log entry: what the exports and the command `audit` print, and what a hash of an entry covers.
 * Postgres writes it, so that it holds every stored value exactly: JavaScript would round large numbers, and microseconds.
 */

const columns = `json_build_object(
  'id', l.id::text,
  'at', to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'actor_id', l.actor,
  'origin', l.origin,
  'request_id', l.request_id,
  'run_id', l.run_id,
  'action', l.action,
  'table_name', l.table_name,
  'row_id', l.row_id,
  'before', l.before,
  'after', l.after)::text`;

/** The numbers need no escape. */
const addId = (name: string): string =>
  `case when l.${name} is null then '' else ', "${name}" : "' || l.${name} || '"' end`;

/**
 * SQL expression: the stored columns of `private.audit_log l` as one line of JSON, in a fixed order. Only the entries with a value have
 * `undoes` and `part_of`, so that the hashes of entries from before these columns stay valid.
 */
export const auditEntrySql = `(case when num_nonnulls(l.undoes, l.part_of) = 0 then ${columns}
  else left(${columns}, -1) || ${addId('undoes')} || ${addId('part_of')} || '}' end)`;

/**
 * Returns the line of an entry in an export. The name of the actor comes first and is not part of the stored entry: users
 * change their names and email addresses.
 *
 * @param entry the value of `auditEntrySql`
 */
export const toExportLine = (entry: string, actor: string | null): string =>
  `{"actor" : ${JSON.stringify(actor)}, ${entry.slice(1)}`;
