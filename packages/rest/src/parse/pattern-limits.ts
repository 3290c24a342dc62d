/**
 * Limits the cost of regular expressions. Postgres expands repetitions when it compiles them, so `(.{0,120}){0,120}`
 * becomes 14,400 parts, which crashes the embedded database.
 */

/** Limits for all patterns of a request together. `length` and `depth` apply to each pattern. */
export interface PatternLimits {
  readonly length: number;
  /** Characters and sets under quantifiers, multiplied by their repetitions. */
  readonly repeated: number;
  /** Characters in the ranges of sets; Postgres looks up both cases of each. */
  readonly spanned: number;
  readonly depth: number;
  /** Postgres caches 32 compiled patterns and recompiles all others for each row. */
  readonly patterns: number;
}

export const patternLimits: PatternLimits = {
  length: 1000,
  repeated: 200,
  spanned: 70_000,
  depth: 10,
  patterns: 20,
};

/** Accumulated cost of the patterns of a request. */
export interface PatternUsage {
  patterns: number;
  repeated: number;
  spanned: number;
}

export const emptyPatternUsage = (): PatternUsage => ({ patterns: 0, repeated: 0, spanned: 0 });

/** One part of an advanced regular expression (PostgreSQL manual, "POSIX Regular Expressions"). */
const part =
  /(\\c[^]|\\[1-9]|\\[^])|(\[\^?\]?(?:\\c[^]|\\[^]|\[[:.=][^]*?[:.=]\]|[^\]\\])*\]?)|(\((?:\?(?:[:=!]|<[=!]|[a-z]+\))?)?)|(\))|([*+?]\??|\{(\d+)(,(\d*))?\}\??)|(\|)|[^]/guy;

interface Group {
  weight: number;
  /** Weight of the part that a quantifier would repeat; null if no quantifier is allowed here. */
  last: number | null;
}

/**
 * Checks a pattern and adds its cost to the usage of the request. Parses only the syntax that determines the cost, and
 * rejects syntax that changes the meaning of the rest of the pattern.
 *
 * @returns the requirement that the pattern violates, or null for an allowed pattern
 */
export function checkPattern(pattern: string, usage: PatternUsage): string | null {
  usage.patterns += 1;
  if (usage.patterns > patternLimits.patterns) return `at most ${patternLimits.patterns} patterns`;
  if (pattern.length > patternLimits.length) return `a pattern of at most ${patternLimits.length} characters`;
  const outerGroups: Group[] = [];
  let group: Group = { weight: 0, last: null };
  const add = (weight: number): void => {
    group.weight += weight;
    group.last = weight;
  };
  for (const [text, escape, set, open, close, quantifier, min, , max] of pattern.matchAll(part)) {
    if (escape !== undefined) {
      if (/^\\[1-9]$/.test(text)) return 'a pattern without back references';
      add(1);
    } else if (set !== undefined) {
      const spanned = countSpanned(set);
      if (spanned === null) return 'sets without numbered or named characters';
      usage.spanned += spanned;
      add(1);
    } else if (open !== undefined) {
      if (/^\(\?[cimnpst]+\)$/.test(text)) continue;
      if (text !== '(' && text !== '(?:') return 'groups of the forms (…) and (?:…)';
      outerGroups.push(group);
      if (outerGroups.length > patternLimits.depth) return `at most ${patternLimits.depth} levels of groups`;
      group = { weight: 0, last: null };
    } else if (close !== undefined) {
      const outerGroup = outerGroups.pop();
      if (!outerGroup) return 'as many opening parentheses as closing ones';
      const { weight } = group;
      group = outerGroup;
      add(Math.max(weight, 1));
    } else if (quantifier !== undefined) {
      if (group.last === null) return 'something to repeat in front of a quantifier';
      const times = Math.max(Number(min ?? 1), Number(max ?? 1), 1);
      usage.repeated += group.last * times;
      group.weight += group.last * (times - 1);
      group.last = null;
    } else if (text === '|') group.last = null;
    else add(1);
    if (usage.repeated > patternLimits.repeated) return 'fewer repetitions in patterns';
    if (usage.spanned > patternLimits.spanned) return 'smaller ranges in patterns';
  }
  return outerGroups.length > 0 ? 'as many closing parentheses as opening ones' : null;
}

/** Returns the number of characters in the ranges of a set; null if an end can be written as a number or a name. */
function countSpanned(set: string): number | null {
  if (/\\[xuU0-9]|.\[[.=]/su.test(set)) return null;
  let spanned = 0;
  for (const [, from = '', to = ''] of set.matchAll(/(?<=([^]))-(?=\\?([^\]]))/gu)) {
    spanned += Math.max(0, (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0));
  }
  return spanned;
}
