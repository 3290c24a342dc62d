/** Converts the User-Agent of a session to a readable device name. */

type UserAgentPattern = readonly [name: string, ...patterns: readonly RegExp[]];

// The order matters: most browsers also name the browsers that they are compatible with.
const browsers: readonly UserAgentPattern[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//, /\bVersion\//],
];

const systems: readonly UserAgentPattern[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const findName = (userAgent: string, patterns: readonly UserAgentPattern[]): string | undefined =>
  patterns.find(([, ...all]) => all.every((pattern) => pattern.test(userAgent)))?.[0];

/** Returns, for example, 'Firefox on Windows', the name of a program that is not a browser, or 'Unknown device'. */
export const deviceName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device';
  const browser = findName(userAgent, browsers);
  const system = findName(userAgent, systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // The name before the version, as in 'curl/8.5.0'.
  const program = /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? '';
  return program === '' || program === 'Mozilla' ? (system ?? 'Unknown device') : program;
};

/** Returns true for phones and tablets. */
export const isMobileDevice = (userAgent: string | null): boolean =>
  /\b(?:iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '');
