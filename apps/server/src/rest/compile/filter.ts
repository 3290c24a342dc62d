/** Columns, JSON paths and conditions as SQL. */
import { type SqlBuilder } from './sql-builder.ts';
import { compareOperators, isOperands, searchOperators, type Operation } from '../plan/query-types.ts';
import type { ColumnRef, EmbedPlan, PlannedLogic } from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** A column of the rows called `alias`, with its JSON path. */
export function compileColumn(sql: SqlBuilder, alias: string, column: ColumnRef): string {
  const plain = `${alias}.${quoteIdentifier(column.name)}`;
  if (column.path.length === 0) return plain;
  // Columns that hold JSON stay bare, so that indexes on such expressions apply.
  const start = column.isJson ? plain : `to_jsonb(${plain})`;
  const steps = column.path.map(
    ({ arrow, key, isIndex }) =>
      `${arrow}${isIndex ? `${sql.constant(key)}::int` : `${sql.constant(key)}::text`}`,
  );
  return `(${start}${steps.join('')})`;
}

/** Says how an embed's match is tested at this place of the statement. */
export type CompileMatch = (embed: EmbedPlan, exists: boolean) => string;

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
      // One array parameter: the statement stays the same for lists of any length.
      return `${not}${expression} = any(${sql.slot(operation.value)})`;
    case 'compare': {
      const value = sql.slot(operation.value);
      const operand = operation.quantifier === null ? value : `${operation.quantifier}(${value})`;
      return `${not}${expression} ${compareOperators[operation.operator]} ${operand}`;
    }
    case 'search': {
      const configuration =
        operation.configuration === null ? '' : `${sql.slot(operation.configuration)}::regconfig, `;
      const document =
        column.isSearchable && column.path.length === 0
          ? expression
          : `to_tsvector(${configuration}${expression})`;
      return `${not}${document} @@ ${searchOperators[operation.operator]}(${configuration}${sql.slot(operation.value)})`;
    }
  }
}
