import { invalid } from './errors.ts';
import { type Condition, meets } from './expression/condition.ts';
import { filterOf } from './expression/expressions.ts';
import { attributesIn, checkOperands } from './expression/operands.ts';
import type { Bindings } from './expression/path.ts';
import type { Request } from './request.ts';
import type { Index, KeySchema, Table } from './tables.ts';
import type { Item } from './values.ts';

type Place = { readonly table: Table; readonly index?: Index; readonly schema: KeySchema };

/** The attributes that an index has of its items; all, where nothing is said. */
export function keptOf({ table, index }: Place): readonly string[] {
  if (!index || (index.projection.ProjectionType ?? 'ALL') === 'ALL') return [];
  const keys = [index.hash, ...(index.range ? [index.range] : [])].map(({ AttributeName }) => AttributeName);
  return [...table.keyNames, ...keys, ...(index.projection.NonKeyAttributes ?? [])];
}

/** An item as an index has it. */
export const only = (kept: readonly string[], item: Item): Item =>
  kept.length === 0 ? item : Object.fromEntries(Object.entries(item).filter(([name]) => kept.includes(name)));

const filterIn = ({ FilterExpression }: Request): Condition | undefined =>
  FilterExpression ? filterOf(String(FilterExpression)) : undefined;

/** Whether the filter of a request lets an item through. It sees what the index has. */
export function matcherOf(
  request: Request,
  kept: readonly string[],
  bindings: Bindings,
): (item: Item) => boolean {
  const filter = filterIn(request);
  if (!filter) return () => true;
  checkOperands(filter, bindings, 'FilterExpression');
  return (item) => meets(filter, only(kept, item), bindings);
}

/** The filter of a query looks at attributes that the index has, and at none of its key. */
export function checkQueryFilter(place: Place, request: Request, bindings: Bindings): void {
  const filter = filterIn(request);
  if (!filter) return;
  const { hash, range } = place.schema;
  const names = [...attributesIn(filter, bindings)];
  const key = names.find((name) => name === hash.AttributeName || name === range?.AttributeName);
  if (key !== undefined)
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key}`,
    );
  const kept = keptOf(place);
  const missing = names.filter((name) => kept.length > 0 && !kept.includes(name));
  if (missing.length > 0)
    throw invalid(
      `One or more parameter values were invalid: Secondary index ${place.index?.name} does not project one or more filter attributes: [${missing.join(', ')}]`,
    );
}
