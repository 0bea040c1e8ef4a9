/** One promise, measured: a ratio of two figures of the same run, and what was promised. */
export type Figure = {
  readonly name: string;
  readonly ratio: number;
  readonly promised: { readonly atLeast: number } | { readonly atMost: number };
  /** What the ratio is made of. */
  readonly detail: string;
};

export const isKept = ({ ratio, promised }: Figure): boolean =>
  'atLeast' in promised ? ratio >= promised.atLeast : ratio <= promised.atMost;

const promise = ({ promised }: Figure): string =>
  'atLeast' in promised ? `at least ${promised.atLeast}` : `at most ${promised.atMost}`;

export const row = (figure: Figure): string =>
  `| ${figure.name} | ${figure.ratio.toFixed(2)} | ${promise(figure)} | ${isKept(figure) ? 'yes' : 'NO'} | ${figure.detail} |`;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
