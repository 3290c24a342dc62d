/** Patterns of REDIRECT_URLS (auth contract 9.1). */

/**
 * `*` stops at `.` and `/`, `**` at nothing, `?` is one character; `[a-z]` is one of them and `[!a-z]`
 * one of the others, `{one,two}` either. The rest stands for itself, an IPv6 host's brackets too.
 * @throws SyntaxError for braces that do not match and ranges that run backwards
 */
export function redirectPattern(glob: string): RegExp {
  let inBraces = false;
  const source = glob.replace(
    /\*\*|(?<!\/\/)\[(!?)([^\]]+)\]|[\\^$.|+()[\]*?{},]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not ? '^./' : ''}${set.replace(/[\\^\]]/g, String.raw`\$&`)}]`;
      if (part === '{' || part === '}') inBraces = part === '{';
      if (part === ',' && !inBraces) return part;
      return meanings[part] ?? `\\${part}`;
    },
  );
  return new RegExp(`^${source}$`);
}

const meanings: Readonly<Record<string, string>> = {
  '**': '.*',
  '*': '[^./]*',
  '?': '[^./]',
  '{': '(?:',
  ',': '|',
  '}': ')',
};
