import { prepareXades } from '../../../shared/signing/xades/prepare.ts';
import { signXades } from '../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf, stampAt, withArchiveStamp } from '../signing/xades/parties.ts';
import { hostileXml } from './xml-shapes.ts';

const atMs = Date.now();
const key = keyOf();
const { certificate, chain } = key;
const options = { signingTimeMs: atMs };
const once = await signXades(BATCH, key, { ...options, element: { id: 'n1' }, stamp: stampAt(() => atMs) });
const signed = (await signXades(withArchiveStamp(once), key, { ...options, leaveRoom: true })).toString();

export const honest = (): Buffer => Buffer.from(signed);
export const cases = () => [...hostileXml(signed, 500_000, 41), ...hostileXml(signed, 3_000_000, 149)];

export const read = (bytes: Buffer): Promise<unknown> => verifyXades(bytes, { judge, atMs });

export const prepare = (bytes: Buffer): Promise<unknown> =>
  prepareXades(bytes, { certificate, chain, ...options, leaveRoom: true });
