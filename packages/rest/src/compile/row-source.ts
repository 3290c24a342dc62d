/** Compiles the rows of an embed, joined to the parent, and the equivalent EXISTS condition for counts. */
import { compileLogic, type CompileMatch } from './filter.ts';
import { compileOffset } from './order-limit.ts';
import { whereClause, type SqlBuilder } from './sql-builder.ts';
import { listEmbeds, type EmbedPlan, type ReadLevel } from '../plan/read-plan.ts';
import type { ColumnPair, Relationship } from '../schema/relationships.ts';
import { quoteIdentifier, quoteQualifiedName } from '../schema/quote-identifier.ts';

/** Source of the rows of a level. */
export interface RowSource {
  /** SQL of the FROM clause. */
  readonly from: string;
  /** Quoted alias of the rows. */
  readonly alias: string;
  /** Join conditions with the parent. */
  readonly conditions: readonly string[];
}

/** Returns the rows of an embed, joined to the rows with the alias `parent`. */
export function embedRowSource(sql: SqlBuilder, relationship: Relationship, parent: string): RowSource {
  const alias = sql.alias('r');
  const { routine, junction, origin, target, pairs } = relationship;
  if (routine) {
    const row = `${parent}::${quoteQualifiedName(origin)}`;
    return { from: `${quoteQualifiedName(routine)}(${row}) as ${alias}`, alias, conditions: [] };
  }
  const table = `${quoteQualifiedName(target)} as ${alias}`;
  if (!junction) return { from: table, alias, conditions: equalities(pairs, parent, alias) };
  const link = sql.alias('j');
  const joined = equalities(junction.targetPairs, alias, link).join(' and ');
  return {
    from: `${table} inner join ${quoteQualifiedName(junction.relation)} as ${link} on ${joined}`,
    alias,
    conditions: equalities(junction.originPairs, parent, link),
  };
}

function equalities(pairs: readonly ColumnPair[], first: string, second: string): string[] {
  return pairs.map(
    ([column, otherColumn]) =>
      `${first}.${quoteIdentifier(column)} = ${second}.${quoteIdentifier(otherColumn)}`,
  );
}

/** Returns the conditions for counting the rows with this alias: filters, and inner embeds as EXISTS. */
export function compileConditions(sql: SqlBuilder, level: ReadLevel, alias: string): string[] {
  const match = compileExists(sql, alias);
  return [
    ...level.where.map((node) => compileLogic(sql, alias, node, match)),
    ...listEmbeds(level)
      .filter((embed) => embed.inner)
      .map((embed) => existsRows(sql, embed, alias)),
  ];
}

/** Tests for matching rows of an embed that is not joined. */
export function compileExists(sql: SqlBuilder, alias: string): CompileMatch {
  return (embed, exists) => `${exists ? '' : 'not '}${existsRows(sql, embed, alias)}`;
}

function existsRows(sql: SqlBuilder, embed: EmbedPlan, parent: string): string {
  const fence = sql.fenceExists();
  const source = embedRowSource(sql, embed.relationship, parent);
  const conditions = [...source.conditions, ...compileConditions(sql, embed.level, source.alias)];
  // An embed whose limit and offset exclude all rows does not match, as in the joined form.
  const offset = compileOffset(sql, embed.level);
  const limitOffset = `${embed.level.limit === 0 ? ' limit 0' : ''}${offset === null ? fence : ` offset ${offset}`}`;
  return `exists (select from ${source.from}${whereClause(conditions)}${limitOffset})`;
}
