/** Rows of an import that a person decides about: probable duplicates, and changes of an account that is only probably meant. */
import { formatChanges, type ImportResult, type ImportValues } from './account-import.ts';
import { foldText } from './fold-text.ts';

/**
 * - `similar`: the row would create an account that looks like another one
 * - `by_name_only`: the row would change an account that has only its name
 */
export type ImportQuestion = 'similar' | 'by_name_only';

export interface AskedRow {
  readonly question: ImportQuestion;
  readonly reason: string;
}

/** Returns the question that the result of a dry run raises, or null. */
export type FindQuestion = (result: ImportResult, row: ImportValues) => AskedRow | null;

/** Call the function for each row in the order of the file: it also finds rows that look like an earlier one. */
export function createQuestionCheck(): FindQuestion {
  const findEarlier = createLookAlikeCheck();
  return ({ outcome, by_name_only, changes = [], similar, name_key }, row) => {
    if (outcome === 'changed' && by_name_only === true) {
      const reason = `An account has this name. ${formatChanges(changes)}`;
      return { question: 'by_name_only', reason };
    }
    if (outcome !== 'created') return null;
    const earlier = name_key === undefined ? null : findEarlier(row, name_key);
    if (similar !== undefined) {
      const place = similar.city === null ? '' : ` (${similar.city})`;
      return { question: 'similar', reason: `Looks like the account "${similar.name}"${place}` };
    }
    return earlier === null ? null : { question: 'similar', reason: `Looks like line ${earlier}` };
  };
}

/** The first lines of the names with one key: of any city, of none, and of each city. */
interface SameKey {
  readonly first: number;
  withoutCity: number | null;
  readonly cities: Map<string, number>;
}

/** Names in different cities are different accounts. A row without a city can be any of them. */
function createLookAlikeCheck(): (row: ImportValues, key: string) => number | null {
  const keys = new Map<string, SameKey>();
  return ({ line, fields }, key) => {
    const city = foldText(fields.city ?? '');
    const known = keys.get(key);
    if (known === undefined) {
      keys.set(key, {
        first: line,
        withoutCity: city === '' ? line : null,
        cities: new Map(city === '' ? [] : [[city, line]]),
      });
      return null;
    }
    const earlier = city === '' ? known.first : (known.cities.get(city) ?? known.withoutCity);
    if (city === '') known.withoutCity ??= line;
    else if (!known.cities.has(city)) known.cities.set(city, line);
    return earlier === line ? null : earlier;
  };
}
