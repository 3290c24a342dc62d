/** Patterns of REDIRECT_URLS, in the glob syntax of Supabase's redirect allow list. */

/** Scheme and authority. They end at the first slash of a pattern, and at the path or the query of a URL. */
const patternOrigin = /^[^/]*:\/\/[^/]*/;
const urlOrigin = /^[^:/?#]*:\/\/[^/?#]*/;

/**
 * Compiles a pattern. `*` matches up to `.` or `/`, `**` anything, `?` one character; `[a-z]` one of a set, `[!a-z]`
 * one outside of it, `{one,two}` either text. All other characters match themselves, as do the brackets of an IPv6
 * host. The origin is compared separately, so that a wildcard in it cannot match beyond the host of a URL. Only `**`
 * at the end of a pattern without a path also matches the rest of the URL.
 *
 * @returns a function that returns true for a URL that matches
 * @throws SyntaxError for unbalanced braces and descending ranges
 */
export function compileRedirectPattern(glob: string): (url: string) => boolean {
  const [origin = ''] = patternOrigin.exec(glob) ?? [];
  const rest = glob.slice(origin.length);
  const originPattern = new RegExp(`^${toRegExpSource(origin, inOrigin)}$`);
  const restPattern = new RegExp(
    `^${rest === '' && origin.endsWith('**') ? '.*' : toRegExpSource(rest, inPath)}$`,
  );
  return (url) => {
    const [prefix = ''] = origin === '' ? [] : (urlOrigin.exec(url) ?? []);
    return originPattern.test(prefix) && restPattern.test(url.slice(prefix.length));
  };
}

/** Characters that wildcards do not match, as the inside of a character class. */
interface ExcludedCharacters {
  readonly one: string;
  readonly any: string;
}

const inOrigin: ExcludedCharacters = { one: String.raw`./\\?#:@[\]`, any: String.raw`/\\?#@[\]` };
const inPath: ExcludedCharacters = { one: './', any: '' };

function toRegExpSource(glob: string, excluded: ExcludedCharacters): string {
  const replacements: Readonly<Record<string, string>> = {
    '**': excluded.any === '' ? '.*' : `[^${excluded.any}]*`,
    '*': `[^${excluded.one}]*`,
    '?': `[^${excluded.one}]`,
    '{': '(?:',
    ',': '|',
    '}': ')',
  };
  let inBraces = false;
  return glob.replace(
    /\*\*|(?<!\/\/)\[(!?)([^\]]+)\]|[\\^$.|+()[\]*?{},]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (set !== undefined)
        return `[${not ? `^${excluded.one}` : ''}${set.replace(/[\\^\]]/g, String.raw`\$&`)}]`;
      if (part === '{' || part === '}') inBraces = part === '{';
      if (part === ',' && !inBraces) return part;
      return replacements[part] ?? `\\${part}`;
    },
  );
}
