/** The User-Agent of a session as somebody would name the device. */

type Sign = readonly [name: string, pattern: RegExp];

// In this order: most browsers also carry the names of those that they want to be taken for.
const browsers: readonly Sign[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const systems: readonly Sign[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (userAgent: string, signs: readonly Sign[]): string | undefined =>
  signs.find(([, pattern]) => pattern.test(userAgent))?.[0];

/** 'Firefox on Windows'; a program's own name where it is no browser; 'Unknown device' for none. */
export const deviceName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device';
  const browser = nameIn(userAgent, browsers);
  const system = nameIn(userAgent, systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // 'curl/8.5.0' and its like: what stands before the version.
  const program = /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? '';
  return program === '' || program === 'Mozilla' ? (system ?? 'Unknown device') : program;
};

/** True for telephones and tablets, which get another picture. */
export const isMobileDevice = (userAgent: string | null): boolean =>
  /\b(?:iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '');
