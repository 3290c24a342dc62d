/** Compiles a function call to one statement. The result is selected like the rows of a table. */
import { compileReadFrom, type ResponseRowOptions } from './response-row.ts';
import { SqlBuilder, type CompiledStatement } from './sql-builder.ts';
import type { Slot } from '../plan/query-types.ts';
import type { ReadLevel } from '../plan/read-plan.ts';
import type { Routine } from '../schema/routines.ts';
import { quoteIdentifier, quoteQualifiedName } from '../schema/quote-identifier.ts';

/** Source of the arguments. */
export type CallArguments =
  | { readonly kind: 'none' }
  /** A JSON object with the arguments as keys, or the value of the only argument. */
  | {
      readonly kind: 'body';
      readonly slot: Slot;
      readonly names: readonly string[];
      readonly wholeBody: boolean;
    }
  /** One text per argument. */
  | { readonly kind: 'values'; readonly slots: ReadonlyMap<string, Slot> };

/**
 * Compiles a function call.
 *
 * @param options the body shape must match the result of the function
 */
export function compileCall(
  routine: Routine,
  args: CallArguments,
  level: ReadLevel,
  options: ResponseRowOptions,
): CompiledStatement {
  const sql = new SqlBuilder();
  const alias = sql.alias('r');
  const namedAlias = routine.result === 'row' ? alias : `${alias} ("value")`;
  const call = compileFrom(sql, routine, args, namedAlias);
  // Counting reads the rows twice, but the function must run only once.
  const countsRows = options.total !== 'none';
  const prefix = countsRows ? `with call as materialized (select ${alias}.* from ${call}) ` : '';
  const source = { from: countsRows ? `call as ${alias}` : call, alias, conditions: [] };
  return compileReadFrom(sql, level, { source, prefix, search: null }, options);
}

function compileFrom(sql: SqlBuilder, routine: Routine, args: CallArguments, namedAlias: string): string {
  const name = quoteQualifiedName(routine);
  switch (args.kind) {
    case 'none':
      return `${name}() as ${namedAlias}`;
    case 'values': {
      const list = routine.arguments.flatMap((argument) => {
        const slot = args.slots.get(argument.name);
        return slot === undefined ? [] : [passArgument(argument, `${sql.slot(slot)}::${argument.type}`)];
      });
      return `${name}(${list.join(', ')}) as ${namedAlias}`;
    }
    case 'body': {
      const [onlyArgument] = routine.arguments;
      if (args.wholeBody)
        return `${name}(${sql.slot(args.slot)}::${onlyArgument?.type ?? 'json'}) as ${namedAlias}`;
      const passed = routine.arguments.filter((argument) => args.names.includes(argument.name));
      if (passed.length === 0) return `${name}() as ${namedAlias}`;
      const types = passed.map((argument) => `${quoteIdentifier(argument.name)} ${argument.type}`).join(', ');
      const list = passed.map((argument) => passArgument(argument, `"b".${quoteIdentifier(argument.name)}`));
      return `json_to_record(${sql.slot(args.slot)}::json) as "b" (${types}), lateral ${name}(${list.join(', ')}) as ${namedAlias}`;
    }
  }
}

function passArgument({ name, variadic }: Routine['arguments'][number], value: string): string {
  return `${variadic ? 'variadic ' : ''}${quoteIdentifier(name)} := ${value}`;
}
