/** A row of the results table: a value, a reference value, and their ratio. */

const shown = (value) => {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
};

/**
 * @param what name with the unit
 * @param ours, theirs values of the same unit, or text
 * @param beside source of the reference value
 * @param goal goal of the ratio, as text
 */
export const reportRow = (what, ours, beside, theirs, goal = '') => ({
  what,
  ours: shown(ours),
  beside,
  theirs: shown(theirs),
  ratio: typeof ours === 'number' && typeof theirs === 'number' ? (ours / theirs).toFixed(2) : '',
  goal,
});

/** Formats the rows as a Markdown table. */
export function toMarkdown(rows) {
  const heads = {
    what: 'what',
    ours: 'Lanternrock',
    beside: 'beside',
    theirs: 'beside it',
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
