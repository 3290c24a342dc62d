/** Compiles columns, JSON paths and conditions to SQL. */
import { type SqlBuilder } from './sql-builder.ts';
import { compareOperators, isOperands, textSearchOperators, type Operation } from '../plan/query-types.ts';
import type { ColumnRef, EmbedPlan, PlannedLogic } from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Returns a column of the rows with this alias, with its JSON path. */
export function compileColumn(sql: SqlBuilder, alias: string, column: ColumnRef): string {
  const columnSql = `${alias}.${quoteIdentifier(column.name)}`;
  if (column.path.length === 0) return columnSql;
  // JSON columns are not converted, so indexes on the expression apply.
  const start = column.isJson ? columnSql : `to_jsonb(${columnSql})`;
  const steps = column.path.map(
    ({ arrow, key, isIndex }) =>
      `${arrow}${isIndex ? `${sql.constant(key)}::int` : `${sql.constant(key)}::text`}`,
  );
  return `(${start}${steps.join('')})`;
}

/** Compiles the test for matching rows of an embed, depending on the position in the statement. */
export type CompileMatch = (embed: EmbedPlan, exists: boolean) => string;

/** Compiles a condition or logic tree on the rows with this alias. */
export function compileLogic(
  sql: SqlBuilder,
  alias: string,
  node: PlannedLogic,
  match: CompileMatch,
): string {
  switch (node.kind) {
    case 'match':
      return match(node.embed, node.exists);
    case 'condition':
      return compileCondition(sql, compileColumn(sql, alias, node.column), node.column, node.operation);
    case 'group': {
      const members = node.members.map((member) => compileLogic(sql, alias, member, match));
      return `${node.negated ? 'not ' : ''}(${members.join(` ${node.operator} `)})`;
    }
  }
}

function compileCondition(
  sql: SqlBuilder,
  expression: string,
  column: ColumnRef,
  operation: Operation,
): string {
  const not = operation.negated ? 'not ' : '';
  switch (operation.kind) {
    case 'is':
      return `${not}${expression} ${isOperands[operation.test]}`;
    case 'in':
      // A single array parameter, so the statement text does not depend on the length of the list.
      return `${not}${expression} = any(${sql.slot(operation.value)})`;
    case 'compare': {
      if (operation.likePattern !== null && column.isText)
        return `${not}${expression} ${compareOperators.like} ${sql.slot(operation.likePattern)}`;
      const value = sql.slot(operation.value);
      const operand = operation.quantifier === null ? value : `${operation.quantifier}(${value})`;
      return `${not}${expression} ${compareOperators[operation.operator]} ${operand}`;
    }
    case 'text_search': {
      const configuration =
        operation.configuration === null ? '' : `${sql.slot(operation.configuration)}::regconfig, `;
      const document =
        column.isTsvector && column.path.length === 0
          ? expression
          : `to_tsvector(${configuration}${expression})`;
      return `${not}${document} @@ ${textSearchOperators[operation.operator]}(${configuration}${sql.slot(operation.value)})`;
    }
  }
}
