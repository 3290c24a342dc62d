/** A line of the table of `npm run bench`: a figure of ours and one beside it, and how they compare. */

const shown = (value) => {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
};

/**
 * @param what with its unit
 * @param ours, theirs figures of the same unit, or words
 * @param beside what the other figure belongs to
 * @param goal what the ratio is hoped to be, in words
 */
export const reportRow = (what, ours, beside, theirs, goal = '') => ({
  what,
  ours: shown(ours),
  beside,
  theirs: shown(theirs),
  ratio: typeof ours === 'number' && typeof theirs === 'number' ? (ours / theirs).toFixed(2) : '',
  goal,
});

/** The rows as a Markdown table. */
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
