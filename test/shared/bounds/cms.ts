import { buffer } from 'node:stream/consumers';
import { signAttached } from '../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../shared/signing/cades/verify.ts';
import { stampWith } from '../../../shared/signing/timestamp/client.ts';
import { holderKey, judge } from '../signing/cms-fixtures.ts';
import { reaching } from '../signing/timestamp-fixtures.ts';
import { hostileDer } from './der-shapes.ts';

const atMs = Date.now();
const signature = await buffer(
  signAttached(() => Buffer.from('content'), holderKey(), {
    signingTimeMs: atMs,
    stamp: stampWith(reaching()),
  }),
);

export const honest = (): Buffer => signature;
export const cases = () => [
  ...hostileDer(signature, 1_000_000, 29),
  ...hostileDer(signature, 4_000_000, 151),
];

export const read = (bytes: Buffer): Promise<unknown> => verifyCades(bytes, { judge, atMs });
