/** A path with a trailing slash is the same path. */

/** Returns '' for the root path. Runs in linear time, unlike `/\/+$/`, which tries each slash of a run as its first. */
export function removeTrailingSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
