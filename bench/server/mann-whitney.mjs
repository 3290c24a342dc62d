/**
 * Two-sided Mann-Whitney U test by the normal approximation with a correction for ties (H. B. Mann and D. R.
 * Whitney, 1947). Valid for samples of more than about 20.
 * @returns the probability of such a difference if both samples come from one distribution
 */
export function mannWhitney(first, second) {
  const all = [
    ...first.map((value) => ({ value, own: true })),
    ...second.map((value) => ({ value, own: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let start = 0; start < all.length;) {
    let stop = start;
    while (stop < all.length && all[stop].value === all[start].value) stop += 1;
    const rank = (start + 1 + stop) / 2;
    for (let index = start; index < stop; index += 1) if (all[index].own) rankSum += rank;
    ties += (stop - start) ** 3 - (stop - start);
    start = stop;
  }
  const [m, n] = [first.length, second.length];
  const total = m + n;
  const u = rankSum - (m * (m + 1)) / 2;
  const deviation = Math.sqrt(((m * n) / 12) * (total + 1 - ties / (total * (total - 1))));
  if (deviation === 0) return 1;
  return 2 * upperTail(Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / deviation);
}

/** Upper tail of the normal distribution (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
function upperTail(z) {
  const t = 1 / (1 + 0.231_641_9 * z);
  const series =
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
