/** A line of the Prometheus text format. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const unescapeValue = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));

/** Reads metrics in the text format 0.0.4, as GET /api/metrics gives them. */
export const readSamples = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', given = '']) => [
      label,
      unescapeValue(given),
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

export type HistogramSeries = {
  /** Without `le`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly buckets: readonly { readonly bound: string; readonly count: number }[];
  readonly count: number;
  readonly sum: number;
};

/** The series of a histogram. A bucket of the format counts all below it; one of these counts its own. */
export function histogramsOf(name: string, samples: readonly Sample[]): readonly HistogramSeries[] {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    if (![`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample.name)) continue;
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return [...series].map(([key, found]) => {
    const figureOf = (suffix: string) =>
      found.find((sample) => sample.name === `${name}${suffix}`)?.value ?? 0;
    let before = 0;
    const buckets = found
      .filter((sample) => sample.name === `${name}_bucket`)
      .map(({ labels, value }) => {
        const count = value - before;
        before = value;
        return { bound: labels.le ?? '', count };
      });
    return { labels: JSON.parse(key), buckets, count: figureOf('_count'), sum: figureOf('_sum') };
  });
}
