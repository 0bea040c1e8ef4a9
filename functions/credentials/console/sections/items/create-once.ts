import { createHash } from 'node:crypto';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { runOnce } from '../../../../../shared/store/kept-answers.ts';
import type { Item } from '../../../items/domain/item.ts';
import type { KindName } from '../../../items/domain/kinds.ts';

type Sent = {
  readonly kind: KindName;
  /** A value that the form was shown with. Each form has its own. */
  readonly once: string;
  readonly body: object;
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Creates the item of a form once, as an Idempotency-Key does for a program: a double click, or a page that is sent again,
 * leads to the item that is there. A form that was changed meanwhile creates another one.
 */
export async function createOnce(
  { application }: Caller,
  { kind, once, body }: Sent,
  create: () => Promise<Item>,
): Promise<string> {
  if (once === '') return (await create()).id;
  const request = { id: hashOf(['console', application, kind, once, body]), fingerprint: hashOf(body) };
  const { id } = await runOnce<Pick<Item, 'id'>>(
    'credentials',
    request,
    create,
    ({ value }) => value as Item,
  );
  return id;
}
