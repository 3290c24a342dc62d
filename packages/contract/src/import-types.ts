/** The words of a file for the type of an account, and the types that a user chooses for them. */
import { accountTypes, type AccountType } from './account-types.ts';
import { foldText } from './fold-text.ts';

/** `none`: rows with the word are rejected. */
export type ChosenType = AccountType | 'none';

export interface TypeChoices {
  /** By folded word, as of `foldWord`. */
  readonly words: ReadonlyMap<string, ChosenType>;
  /** Of new accounts whose row has no type, or a word without a choice. */
  readonly others: ChosenType | null;
}

export const noTypeChoices: TypeChoices = { words: new Map(), others: null };

/** In code units. Longer texts of a file are not folded, which can take quadratic time. */
const maxWordLength = 200;

export const foldWord = (word: string): string => {
  const text = word.trim();
  return text.length > maxWordLength ? text : foldText(text);
};

/** Types, and the words that can mean nothing else. */
const knownWords: ReadonlyMap<string, AccountType> = new Map<string, AccountType>([
  ...accountTypes.map((type) => [type, type] as const),
  ['organisation', 'organization'],
]);

/** Returns true for a word that needs no choice. */
export const isKnownType = (word: string): boolean => knownWords.has(foldWord(word));

/**
 * Returns the type of the word; `none` if the user excludes its rows; undefined if the row counts as one without a type; or the
 * word itself, with which the service rejects the row.
 */
export function findTypeOfWord(word: string, { words, others }: TypeChoices): string | undefined {
  const folded = foldWord(word);
  const type = knownWords.get(folded) ?? words.get(folded) ?? others;
  if (type === null) return word;
  const isChosen = type === 'none' || knownWords.has(folded) || words.has(folded);
  return isChosen ? type : undefined;
}

export interface TypeWord {
  /** As in its first row; '' for rows without a type. */
  readonly word: string;
  readonly rows: number;
}

/** Returns the words that need a choice, the most frequent first. Words that differ in case and accents are one. */
export function listTypeWords(records: readonly (readonly string[])[], column: number): readonly TypeWord[] {
  const found = new Map<string, { readonly word: string; rows: number }>();
  for (const record of records) {
    const word = (record[column] ?? '').trim();
    if (isKnownType(word)) continue;
    const folded = foldWord(word);
    const known = found.get(folded);
    if (known) known.rows += 1;
    else found.set(folded, { word, rows: 1 });
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}
