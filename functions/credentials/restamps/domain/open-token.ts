import { files } from '../../../../shared/files/files.ts';
import { errors } from '../../errors.ts';
import type { RestampData } from '../../items/domain/data.ts';
import type { Item } from '../../items/domain/item.ts';
import { fileOf, MAX_TOKEN_BYTES, tokenKey } from './chain.ts';

/** The token of an applied restamp, in DER. */
export async function openToken({ id, state, data }: Item<RestampData>) {
  const key = tokenKey(fileOf(data), { restampId: id, attempt: data.attempts });
  const bytes = data.tokenSha256 === null ? undefined : await files('credentials').read(key, MAX_TOKEN_BYTES);
  if (!bytes) throw errors.refuse('TokenNotFound', { resourceName: 'Token', resourceId: id, status: state });
  return { bytes, fileName: `${data.identifier}-${id}.tst` };
}
