/** Creates a small SVG of stacked line charts over one horizontal axis, readable in light and dark pages. */

const width = 720;
const height = 150;
const left = 56;
const right = 12;
const top = 26;
const bottom = 22;

/** Returns 1, 2 or 5 times a power of ten, for an axis that ends at a round number. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= value);
}

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

function chart({ title, values }, index, lastX, xLabel) {
  const end = roundUp(Math.max(...values, 1e-9));
  const x = (position) => left + ((width - left - right) * position) / Math.max(1, values.length - 1);
  const y = (value) => top + (height - top - bottom) * (1 - value / end);
  const line = values.map((value, position) => `${x(position).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const rule = (value) =>
    `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="#888" stroke-opacity=".35"/>` +
    `<text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`;
  return [
    `<g transform="translate(0 ${index * height})">`,
    `<text x="${left}" y="16" font-weight="600">${escaped(title)}</text>`,
    rule(0),
    rule(end / 2),
    rule(end),
    `<polyline points="${line}" fill="none" stroke="#2f6fde" stroke-width="2" stroke-linejoin="round"/>`,
    `<text x="${left}" y="${height - 4}">0</text>`,
    `<text x="${width - right}" y="${height - 4}" text-anchor="end">${lastX} ${escaped(xLabel)}</text>`,
    '</g>',
  ].join('\n');
}

/**
 * Renders the charts.
 *
 * @param series one chart each: `{ title, values }`, all of the same length
 * @param xLabel unit of the horizontal axis, which counts the values
 * @returns the text of an SVG file
 */
export function lineCharts(series, xLabel) {
  const lastX = (series[0]?.values.length ?? 1) - 1;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height * series.length}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#777">`,
    `<title>${escaped(series.map(({ title }) => title).join('; '))}</title>`,
    ...series.map((one, index) => chart(one, index, lastX, xLabel)),
    '</svg>',
    '',
  ].join('\n');
}
