// A series as one line of blocks, and shares as bars.

const levels = '▁▂▃▄▅▆▇█';

/** Doubles are precise enough for eight levels. A missing value leaves a gap. */
export function sparkline(values: readonly (string | null)[], widthMax: number): string {
  const sampled = sample(values, widthMax).map((value) => (value === null ? undefined : Number(value)));
  const known = sampled.filter((value) => value !== undefined);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  return sampled
    .map((value) => {
      if (value === undefined) return ' ';
      const share = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
      return levels[Math.round(share * (levels.length - 1))];
    })
    .join('');
}

/** Keeps the first and the last value, and as many between them as there is room for. */
function sample<T>(values: readonly T[], countMax: number): T[] {
  if (values.length <= countMax) return [...values];
  return Array.from({ length: countMax }, (_, index) => {
    const place = Math.round((index * (values.length - 1)) / (countMax - 1));
    return values[place];
  }).filter((value) => value !== undefined);
}

const eighths = ' ▏▎▍▌▋▊▉█';

/** A share of one as a bar; shares outside nought and one are cut. */
export function bar(share: string | null, width: number): string {
  const filled = Math.max(0, Math.min(1, Number(share ?? 0))) * width;
  const whole = Math.floor(filled);
  const rest = whole < width ? (eighths[Math.round((filled - whole) * 8)] ?? '') : '';
  return ('█'.repeat(whole) + rest).trimEnd();
}
