/** A row of the results table: a value, a reference value, and their ratio. */

const formatValue = (value) => {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
};

/**
 * @param name name with the unit
 * @param value, reference values of the same unit, or text
 * @param source source of the reference value
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

/** Formats the rows as a Markdown table. */
export function toMarkdown(rows) {
  const heads = {
    name: 'measurement',
    value: 'Lanternrock',
    source: 'compared with',
    reference: 'value',
    ratio: 'ratio',
    goal: 'goal',
  };
  const fields = Object.keys(heads);
  const widths = fields.map((field) => Math.max(...[heads, ...rows].map((one) => one[field].length)));
  const line = (one) => `| ${fields.map((field, n) => one[field].padEnd(widths[n])).join(' | ')} |`;
  return [line(heads), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}
