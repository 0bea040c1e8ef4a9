import { invalidField } from '../../errors.ts';

/**
 * The fields of a change by its event. One operation takes all events of a kind, and not each of them has the same fields:
 * refused with InvalidFields where one is missing, or given in vain.
 * @example const { reason } = requireFields(change, ['reason'], ['cancellationReason']);
 */
export function requireFields<
  Change extends { readonly event: string },
  Needed extends Exclude<keyof Change & string, 'event'>,
>(
  change: Change,
  needs: readonly Needed[],
  takes: readonly Exclude<keyof Change & string, 'event'>[] = [],
): Change & { readonly [Field in Needed]: NonNullable<Change[Field]> } {
  const { event, ...fields } = change;
  const given = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const missing = needs.find((field) => !given.includes(field));
  if (missing !== undefined) throw invalidField(missing, `is required for ${event}`);
  const extra = given.find((field) => ![...needs, ...takes].includes(field as Needed));
  if (extra !== undefined) throw invalidField(extra, `is not a field of ${event}`);
  return change as Change & { readonly [Field in Needed]: NonNullable<Change[Field]> };
}
