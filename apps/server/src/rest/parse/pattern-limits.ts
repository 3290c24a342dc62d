/**
 * What a regular expression may cost. Postgres writes repetitions out before it searches, so
 * `(.{0,120}){0,120}` becomes 14,400 parts, and the embedded engine dies of it.
 */

/** The most of one request, where a request may hold several patterns. */
export interface PatternLimits {
  readonly length: number;
  /** Characters and sets under quantifiers, each as often as its repetitions write it out. */
  readonly repeated: number;
  /** Characters that the ranges of sets span; each is looked up in both cases. */
  readonly spanned: number;
  readonly depth: number;
  /** Postgres keeps the last 32 compiled ones, and makes all others again for every row. */
  readonly patterns: number;
}

export const patternLimits: PatternLimits = {
  length: 1000,
  repeated: 200,
  spanned: 70_000,
  depth: 10,
  patterns: 20,
};

/** What the patterns of one request came to so far. */
export interface PatternUsage {
  patterns: number;
  repeated: number;
  spanned: number;
}

export const emptyPatternUsage = (): PatternUsage => ({ patterns: 0, repeated: 0, spanned: 0 });

/** One part of an advanced regular expression, as Postgres' manual names them (9.7.3). */
const part =
  /(\\c[^]|\\[1-9]|\\[^])|(\[\^?\]?(?:\\c[^]|\\[^]|\[[:.=][^]*?[:.=]\]|[^\]\\])*\]?)|(\((?:\?(?:[:=!]|<[=!]|[a-z]+\))?)?)|(\))|([*+?]\??|\{(\d+)(,(\d*))?\}\??)|(\|)|[^]/guy;

interface Group {
  weight: number;
  /** Weight of what a quantifier would repeat; null at places where none may stand. */
  last: number | null;
}

/**
 * Adds a pattern to what its request uses. Understands as much of the syntax as decides about the cost,
 * and refuses what would change how the rest is read.
 * @returns what has to be different, or null for a pattern that may run
 */
export function checkPattern(pattern: string, use: PatternUsage): string | null {
  use.patterns += 1;
  if (use.patterns > patternLimits.patterns) return `at most ${patternLimits.patterns} patterns`;
  if (pattern.length > patternLimits.length) return `a pattern of at most ${patternLimits.length} characters`;
  const outer: Group[] = [];
  let group: Group = { weight: 0, last: null };
  const add = (weight: number): void => {
    group.weight += weight;
    group.last = weight;
  };
  for (const [text, escape, set, open, close, quantifier, least, , most] of pattern.matchAll(part)) {
    if (escape !== undefined) {
      if (/^\\[1-9]$/.test(text)) return 'a pattern without back references';
      add(1);
    } else if (set !== undefined) {
      const spanned = spannedBy(set);
      if (spanned === null) return 'sets without numbered or named characters';
      use.spanned += spanned;
      add(1);
    } else if (open !== undefined) {
      if (/^\(\?[cimnpst]+\)$/.test(text)) continue;
      if (text !== '(' && text !== '(?:') return 'groups of the forms (…) and (?:…)';
      outer.push(group);
      if (outer.length > patternLimits.depth) return `at most ${patternLimits.depth} levels of groups`;
      group = { weight: 0, last: null };
    } else if (close !== undefined) {
      const around = outer.pop();
      if (!around) return 'as many opening parentheses as closing ones';
      const { weight } = group;
      group = around;
      add(Math.max(weight, 1));
    } else if (quantifier !== undefined) {
      if (group.last === null) return 'something to repeat in front of a quantifier';
      const times = Math.max(Number(least ?? 1), Number(most ?? 1), 1);
      use.repeated += group.last * times;
      group.weight += group.last * (times - 1);
      group.last = null;
    } else if (text === '|') group.last = null;
    else add(1);
    if (use.repeated > patternLimits.repeated) return 'fewer repetitions in patterns';
    if (use.spanned > patternLimits.spanned) return 'smaller ranges in patterns';
  }
  return outer.length > 0 ? 'as many closing parentheses as opening ones' : null;
}

/** Characters between the ends of a set's ranges; null where an end may be written as a number or a name. */
function spannedBy(set: string): number | null {
  if (/\\[xuU0-9]|.\[[.=]/su.test(set)) return null;
  let spanned = 0;
  for (const [, from = '', to = ''] of set.matchAll(/(?<=([^]))-(?=\\?([^\]]))/gu)) {
    spanned += Math.max(0, (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0));
  }
  return spanned;
}
