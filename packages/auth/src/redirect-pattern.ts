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
 * @throws SyntaxError for unbalanced braces, descending ranges, and more than two `**` in the path: clients choose the URL,
 * and the time grows with the power of its length (three: 1.7 s for 2,000 characters)
 */
export function compileRedirectPattern(glob: string): (url: string) => boolean {
  const [origin = ''] = patternOrigin.exec(glob) ?? [];
  const pathGlob = glob.slice(origin.length);
  if (pathGlob.split('**').length > 3) throw new SyntaxError('more than two **');
  const originPattern = new RegExp(`^${toRegExpSource(origin, inOrigin)}$`);
  const pathPattern = new RegExp(
    `^${pathGlob === '' && origin.endsWith('**') ? '.*' : toRegExpSource(pathGlob, inPath)}$`,
  );
  return (url) => {
    const [prefix = ''] = origin === '' ? [] : (urlOrigin.exec(url) ?? []);
    return originPattern.test(prefix) && pathPattern.test(url.slice(prefix.length));
  };
}

/** Characters that wildcards do not match, as the inside of a character class. */
interface ExcludedCharacters {
  readonly singleStar: string;
  readonly doubleStar: string;
}

const inOrigin: ExcludedCharacters = {
  singleStar: String.raw`./\\?#:@[\]`,
  doubleStar: String.raw`/\\?#@[\]`,
};
const inPath: ExcludedCharacters = { singleStar: './', doubleStar: '' };

function toRegExpSource(glob: string, excluded: ExcludedCharacters): string {
  const replacements: Readonly<Record<string, string>> = {
    '**': excluded.doubleStar === '' ? '.*' : `[^${excluded.doubleStar}]*`,
    '*': `[^${excluded.singleStar}]*`,
    '?': `[^${excluded.singleStar}]`,
    '{': '(?:',
    ',': '|',
    '}': ')',
  };
  let inBraces = false;
  return glob.replace(
    /\*\*|(?<!\/\/)\[(!?)([^\]]+)\]|[\\^$.|+()[\]*?{},]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (set !== undefined)
        return `[${not ? `^${excluded.singleStar}` : ''}${set.replace(/[\\^\]]/g, String.raw`\$&`)}]`;
      if (part === '{' || part === '}') inBraces = part === '{';
      if (part === ',' && !inBraces) return part;
      return replacements[part] ?? `\\${part}`;
    },
  );
}

/** @param host as in `URL.hostname` */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
