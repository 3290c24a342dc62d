import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** Returns the color tokens of a theme. */
const parseTokens = (selector: string): Map<string, string> => {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  );
};

/** Returns the relative luminance as defined in WCAG 2.2. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

const surfaces = ['background', 'surface', 'raised', 'subtle'];
const texts: [string, string[]][] = [
  ['foreground', [...surfaces, 'destructive-subtle', 'success-subtle', 'warning-subtle']],
  ['muted', surfaces],
  ['primary', ['background', 'surface', 'raised']],
  ['destructive', ['background', 'surface', 'raised', 'destructive-subtle']],
  ['success', ['background', 'surface', 'raised', 'success-subtle']],
  ['accent-strong', ['background', 'surface', 'raised', 'warning-subtle']],
  ['primary-foreground', ['primary', 'primary-hover']],
  ['destructive-foreground', ['destructive', 'destructive-hover']],
  ['success-foreground', ['success']],
  ['warning-foreground', ['warning']],
  ['accent-foreground', ['accent']],
  ['sidebar-foreground', ['sidebar', 'sidebar-hover', 'sidebar-active']],
  ['sidebar-muted', ['sidebar', 'sidebar-hover']],
];
const edges: [string, string[]][] = [
  ['input', ['background', 'surface', 'raised']],
  ['ring', surfaces],
  ['sidebar-ring', ['sidebar', 'sidebar-hover', 'sidebar-active']],
];

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-theme='dark']"],
])('%s tokens', (_theme, selector) => {
  const tokens = parseTokens(selector);
  const pairs = (rules: [string, string[]][]): [string, string][] =>
    rules.flatMap(([front, backs]) => backs.map((back): [string, string] => [front, back]));
  const ratio = (front: string, back: string): number =>
    contrast(tokens.get(front) ?? '', tokens.get(back) ?? '');

  it.each(pairs(texts))('have a contrast of 4.5:1 for text: %s on %s', (front, back) => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(edges))('have a contrast of 3:1 for controls and focus rings: %s on %s', (front, back) => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(3);
  });
});
