/** Patterns of REDIRECT_URLS (auth contract 9.1). */

/** Scheme and authority: they end at the first slash of a pattern, at the path or the query of an address. */
const patternOrigin = /^[^/]*:\/\/[^/]*/;
const addressOrigin = /^[^:/?#]*:\/\/[^/?#]*/;

/**
 * `*` stops at `.` and `/`, `**` at nothing, `?` is one character; `[a-z]` is one of them and `[!a-z]`
 * one of the others, `{one,two}` either. The rest stands for itself, an IPv6 host's brackets too.
 * Origins are compared apart from what follows, so that nothing in a pattern's origin takes the end of
 * an address' host for a part of it; only `**` at the end of a pattern without a path goes on behind it.
 * @returns whether an address fits
 * @throws SyntaxError for braces that do not match and ranges that run backwards
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

/** What wildcards do not match, as the inside of a set. */
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
