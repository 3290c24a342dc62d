/** A row of the results table: a value, a reference value, and their ratio. */

const formatValue = (value) => {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
};

/**
 * @param name measurement with its unit
 * @param value measured value, or text
 * @param source what the value is compared with
 * @param reference value of the source, in the same unit
 * @param goal goal of the ratio, as text
 */
export const reportRow = (name, value, source, reference, goal = '') => ({
  name,
  value: formatValue(value),
  source,
  reference: formatValue(reference),
  ratio: typeof value === 'number' && typeof reference === 'number' ? (value / reference).toFixed(2) : '',
  goal,
});

const headings = {
  name: 'measurement',
  value: 'Lanternrock',
  source: 'compared with',
  reference: 'value',
  ratio: 'ratio',
  goal: 'goal',
};

/** Formats the rows as a Markdown table. */
export function toMarkdown(rows) {
  const fields = Object.keys(headings);
  const widths = fields.map((field) => Math.max(...[headings, ...rows].map((row) => row[field].length)));
  const joinCells = (cells) => `| ${cells.join(' | ')} |`;
  const formatRow = (row) => joinCells(fields.map((field, index) => row[field].padEnd(widths[index])));
  const separator = joinCells(widths.map((width) => '-'.repeat(width)));
  return [formatRow(headings), separator, ...rows.map(formatRow)].join('\n');
}
