import { buffer } from 'node:stream/consumers';
import { signAttached } from '../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../shared/signing/cades/verify.ts';
import { ATTRIBUTE } from '../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../shared/signing/cms/read.ts';
import { attribute } from '../../../shared/signing/cms/signer-info.ts';
import { stampWith } from '../../../shared/signing/timestamp/client.ts';
import { archived, withUnsigned } from '../signing/cades/archive-timestamp.ts';
import { holderKey, judge } from '../signing/cms/fixtures.ts';
import { forgedSigner, goodAttributes } from '../signing/cms/forge.ts';
import { reaching } from '../signing/timestamp/fixtures.ts';
import { hostileDer } from './der-shapes.ts';

const atMs = Date.now();
const key = holderKey();
const stamped = await buffer(
  signAttached(() => Buffer.from('content'), key, { signingTimeMs: atMs, stamp: stampWith(reaching()) }),
);
const value = readSignedData(stamped).signers[0]?.signature ?? stamped;
const { messageDigest, signingCertificate } = goodAttributes(key, value);
const countersignature = await forgedSigner({
  key,
  attributes: [messageDigest, signingCertificate],
  content: value,
});
const signature = await archived(
  withUnsigned(stamped, attribute(ATTRIBUTE.countersignature, countersignature)),
);

export const honest = (): Buffer => signature;
export const cases = () => [
  ...hostileDer(signature, 1_000_000, 67),
  ...hostileDer(signature, 4_000_000, 349),
];

export const read = (bytes: Buffer): Promise<unknown> => verifyCades(bytes, { judge, atMs });
