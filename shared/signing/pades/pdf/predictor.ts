/** How samples stand in rows, for PDF predictors and PNG images alike. */
export type Rows = { readonly columns: number; readonly colors: number; readonly bits: number };

export const rowBytes = ({ columns, colors, bits }: Rows): number => Math.ceil((columns * colors * bits) / 8);

/** Undoes PNG's filters: each row begins with a byte that says how it was predicted. A last row cut short is left out. */
export function undoPngFilters(filtered: Buffer, rows: Rows): Buffer {
  const width = rowBytes(rows);
  const step = Math.max(1, (rows.colors * rows.bits) >> 3);
  const count = Math.floor(filtered.length / (width + 1));
  const plain = Buffer.alloc(count * width);
  for (let row = 0; row < count; row++)
    undoRow(plain, filtered, { from: row * (width + 1), to: row * width, width, step, isFirst: row === 0 });
  return plain;
}

type Row = { from: number; to: number; width: number; step: number; isFirst: boolean };

function undoRow(plain: Buffer, filtered: Buffer, { from, to, width, step, isFirst }: Row): void {
  const filter = filtered[from] ?? 0;
  for (let column = 0; column < width; column++) {
    const left = column >= step ? (plain[to + column - step] ?? 0) : 0;
    const above = isFirst ? 0 : (plain[to + column - width] ?? 0);
    const aboveLeft = isFirst || column < step ? 0 : (plain[to + column - width - step] ?? 0);
    plain[to + column] = (filtered[from + 1 + column] ?? 0) + predict(filter, left, above, aboveLeft);
  }
}

function predict(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, aboveLeft) : 0;
}

function paeth(left: number, above: number, aboveLeft: number): number {
  const guess = left + above - aboveLeft;
  const byLeft = Math.abs(guess - left);
  const byAbove = Math.abs(guess - above);
  const byBoth = Math.abs(guess - aboveLeft);
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
