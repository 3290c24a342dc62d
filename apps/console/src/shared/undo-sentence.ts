/** The sentence of an entry that undid another one: that of the reverted change, as a noun. */
import type { ActivityEntry } from '@lanternrock/contract/activity';

const reversedActions: ReadonlyMap<string, string> = new Map([
  ['INSERT', 'DELETE'],
  ['DELETE', 'INSERT'],
]);

/** Returns the change that the entry reverted. */
export const reverseEntry = (entry: ActivityEntry): ActivityEntry => ({
  ...entry,
  action: reversedActions.get(entry.action) ?? entry.action,
  changes: entry.changes.map(({ field, before, after }) => ({ field, before: after, after: before })),
});

/** The nouns of the verbs of changes that can be undone. */
const nouns: ReadonlyMap<string, string> = new Map([
  ['added', 'addition'],
  ['archived', 'archiving'],
  ['changed', 'change'],
  ['moved', 'move'],
  ['reactivated', 'reactivation'],
  ['removed', 'removal'],
  ['renamed', 'renaming'],
  ['restored', 'restoration'],
  ['suspended', 'suspension'],
]);

/** The nouns of verbs of the end of a membership, which end with `the membership of`. */
const membershipNouns: ReadonlyMap<string, string> = new Map([
  ['set the end of', 'change of the end of'],
  ['removed the end of', 'removal of the end of'],
  ['extended', 'extension of'],
  ['ended', 'end of'],
]);

const membership = ' the membership of';

/** Returns for example `undid the suspension of` for `suspended`; null for a verb that no undo reverts. */
export const toUndoVerb = (verb: string): string | null => {
  const noun = verb.endsWith(membership)
    ? membershipNouns.get(verb.slice(0, -membership.length))?.concat(membership)
    : nouns.get(verb)?.concat(' of');
  return noun === undefined ? null : `undid the ${noun}`;
};
