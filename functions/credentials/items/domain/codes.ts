import { collection } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { ItemId } from './item.ts';

/** The item that a verification code stands for. Its creation is refused where the code is taken, so that none is twice. */
const codes = collection<ItemId & { readonly code: string }, string>({
  service: 'credentials',
  name: 'verification code',
  id: ({ code }) => code,
  key: (code) => ({ pk: `CODE#${code}`, sk: 'CODE' }),
});

/** The write that takes a code for an item, for the commit that creates it. */
export const takingCode = (code: string, { kind, id }: ItemId): Write => codes.creating({ code, kind, id });

/** The item of a code, if any. */
export const findByCode = (code: string): Promise<ItemId | undefined> => codes.get(code);
