import type { Stamp } from '../cms/stamp.ts';
import type { SigningKey } from '../key.ts';
import { completeXades, stampXades } from './complete.ts';
import { prepareXades, type XadesOptions } from './prepare.ts';

export type SignXadesOptions = XadesOptions & {
  /** With a timestamp authority the signature is B-T; without, B-B. */
  readonly stamp?: Stamp | undefined;
};

/**
 * A signed document in one step.
 * @example const signed = await signXades(xml, key, { signingTimeMs: now(), element: { id: 'Dip1' } });
 */
export async function signXades(
  document: Uint8Array,
  key: SigningKey,
  { stamp, ...options }: SignXadesOptions,
): Promise<Buffer> {
  const { certificate, chain } = key;
  const { digest, hash, toSign, state } = await prepareXades(document, { ...options, certificate, chain });
  const signature = await key.signHash(digest, hash, toSign);
  const timestampToken = stamp && (await stampXades(state, signature, stamp));
  return completeXades(state, document, signature, { timestampToken });
}
