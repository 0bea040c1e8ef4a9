// The name of a series in the ledger is its name in the text format:
//
//   bulk_jobs_enqueued_total{folder="inbox"}               a counter
//   bulk_signing_duration_seconds{format="Pades"} 0.25     observations above the bound before it and up to 0.25 s
//   bulk_signing_duration_seconds{format="Pades"} sum      their sum, in microseconds

export const SUM = 'sum';
export const INFINITE = '+Inf';

// All series are in one item of at most 400 KB. Profiles and folders have names of at most 40 characters.
const MAX_LABEL_CHARACTERS = 64;

// Text format 0.0.4: a label value escapes these three.
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escapeValue = (value: string): string =>
  [...value]
    .slice(0, MAX_LABEL_CHARACTERS)
    .map((character) => ESCAPES[character] ?? character)
    .join('');

/** A series as the text format writes it, labels in the order of their names. @example bulk_backup_runs_total{result="Failed"} */
export function seriesOf(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name;
}

/** The bound of the bucket that an observation is counted in. */
export const bucketOf = (bounds: readonly number[], seconds: number): string =>
  String(bounds.find((bound) => seconds <= bound) ?? INFINITE);

/** The metric of a series, or of a part of a histogram. @example nameOf('bulk_jobs_enqueued_total{folder="a"}') */
export const nameOf = (field: string): string => /^\w*/.exec(field)?.[0] ?? '';

/** The same series with a suffix to its name, and one more label. @example withLabel('a{b="c"}', '_bucket', 'le', '1') // a_bucket{b="c",le="1"} */
export function withLabel(series: string, suffix: string, label?: string, value = ''): string {
  const name = nameOf(series);
  const labels = [series.slice(name.length + 1, -1), label === undefined ? '' : `${label}="${value}"`];
  const given = labels.filter((text) => text !== '').join(',');
  return `${name}${suffix}${given && `{${given}}`}`;
}
