/** The rows of an embed, tied to their parent's; and the same as a condition for counting. */
import { compileLogic, type CompileMatch } from './filter.ts';
import { compileOffset } from './order-limit.ts';
import { whereClause, type SqlBuilder } from './sql-builder.ts';
import { listEmbeds, type EmbedPlan, type ReadLevel } from '../plan/read-plan.ts';
import type { ColumnPair, Relationship } from '../schema/relationships.ts';
import { quoteIdentifier, quoteQualifiedName } from '../schema/quote-identifier.ts';

/** Where the rows of a level come from. */
export interface RowSource {
  /** What stands behind `from`. */
  readonly from: string;
  /** Quoted alias of the rows. */
  readonly alias: string;
  /** Conditions that tie the rows to their parent's. */
  readonly conditions: readonly string[];
}

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
    ([own, other]) => `${first}.${quoteIdentifier(own)} = ${second}.${quoteIdentifier(other)}`,
  );
}

/** Conditions on rows called `alias` that a count needs: filters, and inner embeds as `exists`. */
export function compileConditions(sql: SqlBuilder, level: ReadLevel, alias: string): string[] {
  const match = compileExists(sql, alias);
  return [
    ...level.where.map((node) => compileLogic(sql, alias, node, match)),
    ...listEmbeds(level)
      .filter((embed) => embed.inner)
      .map((embed) => existsRows(sql, embed, alias)),
  ];
}

/** Tests of an embed where its rows are not joined. */
export function compileExists(sql: SqlBuilder, alias: string): CompileMatch {
  return (embed, exists) => `${exists ? '' : 'not '}${existsRows(sql, embed, alias)}`;
}

function existsRows(sql: SqlBuilder, embed: EmbedPlan, parent: string): string {
  const source = embedRowSource(sql, embed.relationship, parent);
  const conditions = [...source.conditions, ...compileConditions(sql, embed.level, source.alias)];
  // A window that leaves nothing of the embed is no match, as where its rows are joined.
  const offset = compileOffset(sql, embed.level);
  const window = `${embed.level.limit === 0 ? ' limit 0' : ''}${offset === null ? '' : ` offset ${offset}`}`;
  return `exists (select from ${source.from}${whereClause(conditions)}${window})`;
}
