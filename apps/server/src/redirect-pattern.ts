/** Patterns of REDIRECT_URLS, in the glob syntax of Supabase's redirect allow list. */

/** Scheme and authority. They end at the first slash of a pattern, and at the path or the query of a URL. */
const patternOrigin = /^[^/]*:\/\/[^/]*/;
const addressOrigin = /^[^:/?#]*:\/\/[^/?#]*/;

/**
 * Compiles a pattern. `*` matches up to `.` or `/`, `**` anything, `?` one character; `[a-z]` one of a set, `[!a-z]` one
 * outside of it, `{one,two}` either text. All other characters match themselves, as do the brackets of an IPv6 host.
 * The origin is compared separately, so that a wildcard in it cannot match beyond the host of a URL; only `**` at the
 * end of a pattern without a path also matches what follows.
 *
 * @returns a function that returns true for a URL that matches
 * @throws SyntaxError for unbalanced braces and descending ranges
 */
export function compileRedirectPattern(glob: string): (address: string) => boolean {
  const [origin = ''] = patternOrigin.exec(glob) ?? [];
  const rest = glob.slice(origin.length);
  const originFits = new RegExp(`^${sourceOf(origin, inOrigin)}$`);
  const restFits = new RegExp(`^${rest === '' && origin.endsWith('**') ? '.*' : sourceOf(rest, behind)}$`);
  return (address) => {
    const [own = ''] = origin === '' ? [] : (addressOrigin.exec(address) ?? []);
    return originFits.test(own) && restFits.test(address.slice(own.length));
  };
}

/** Characters that wildcards do not match, as the inside of a character class. */
interface Stops {
  readonly one: string;
  readonly any: string;
}

const inOrigin: Stops = { one: String.raw`./\\?#:@[\]`, any: String.raw`/\\?#@[\]` };
const behind: Stops = { one: './', any: '' };

function sourceOf(glob: string, stops: Stops): string {
  const meanings: Readonly<Record<string, string>> = {
    '**': stops.any === '' ? '.*' : `[^${stops.any}]*`,
    '*': `[^${stops.one}]*`,
    '?': `[^${stops.one}]`,
    '{': '(?:',
    ',': '|',
    '}': ')',
  };
  let inBraces = false;
  return glob.replace(
    /\*\*|(?<!\/\/)\[(!?)([^\]]+)\]|[\\^$.|+()[\]*?{},]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (set !== undefined)
        return `[${not ? `^${stops.one}` : ''}${set.replace(/[\\^\]]/g, String.raw`\$&`)}]`;
      if (part === '{' || part === '}') inBraces = part === '{';
      if (part === ',' && !inBraces) return part;
      return meanings[part] ?? `\\${part}`;
    },
  );
}
