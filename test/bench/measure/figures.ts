/** One ratio of two figures of the same run, and what was promised of it, if anything was. */
export type Figure = {
  readonly name: string;
  readonly ratio: number;
  readonly promised?: { readonly atLeast: number } | { readonly atMost: number };
  /** What the ratio is made of. */
  readonly detail: string;
};

export const isKept = ({ ratio, promised }: Figure): boolean => {
  if (!promised) return true;
  return 'atLeast' in promised ? ratio >= promised.atLeast : ratio <= promised.atMost;
};

const promise = ({ promised }: Figure): string => {
  if (!promised) return '';
  return 'atLeast' in promised ? `at least ${promised.atLeast}` : `at most ${promised.atMost}`;
};

const kept = (figure: Figure): string => (figure.promised ? (isKept(figure) ? 'yes' : 'NO') : '');

export const row = (figure: Figure): string =>
  `| ${figure.name} | ${figure.ratio.toFixed(2)} | ${promise(figure)} | ${kept(figure)} | ${figure.detail} |`;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
