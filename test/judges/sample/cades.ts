import { buffer } from 'node:stream/consumers';
import { measure } from '../../../shared/signing/cades/content.ts';
import {
  cosignAttached,
  type SignCadesOptions,
  signAttached,
  signDetached,
} from '../../../shared/signing/cades/sign.ts';
import { signTogether } from '../../../shared/signing/cades/sign-together.ts';
import { encodePem } from '../../../shared/signing/cms/pem.ts';
import type { SigningKey } from '../../../shared/signing/key.ts';
import { KEY_KINDS, type Parties } from './parties.ts';
import { named, POLICY, type SampleFile } from './sample.ts';

const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;
export const CONTENT = Buffer.from(
  'Remessa de pagamentos: 1.234,56 para a conta 0001/98765-4.\r\n'.repeat(4),
);

/** CMS of every key and digest, attached and apart, with and without a timestamp, and of several signers. */
export async function cadesFiles({ nowMs, keys, stamp }: Parties): Promise<SampleFile[]> {
  type More = Partial<SignCadesOptions>;
  const options = { signingTimeMs: nowMs };
  const attach = (key: SigningKey, more: More = {}) =>
    buffer(signAttached(() => CONTENT, key, { ...options, ...more }));
  const detach = async (key: SigningKey, more: More = {}) =>
    signDetached(await measure(CONTENT, more.digest ?? 'sha256'), key, { ...options, ...more });
  const files: SampleFile[] = [];
  const attached = async (signed: Promise<Buffer>, ...parts: readonly string[]) =>
    void files.push({ name: named('cades', ...parts, 'p7m'), bytes: await signed });
  const detached = async (signed: Promise<Buffer>, ...parts: readonly string[]) =>
    void files.push({ name: named('cades', ...parts, 'bin.p7s'), bytes: await signed, content: CONTENT });

  for (const kind of KEY_KINDS) {
    for (const digest of DIGESTS) {
      await attached(attach(keys[kind], { digest }), 'attached', kind, digest);
      await detached(detach(keys[kind], { digest }), 'detached', kind, digest);
    }
    await attached(attach(keys[kind], { stamp }), 'attached', kind, 'B-T');
    await detached(detach(keys[kind], { stamp }), 'detached', kind, 'B-T');
  }
  const { rsa2048: ana, p256: bia } = keys;
  const [once, stamped] = [await attach(ana), await attach(ana, { stamp })];
  const cosign = (first: Buffer, more: More = {}) =>
    buffer(cosignAttached(() => first, bia, { ...options, ...more }));
  await attached(cosign(once), 'cosigned');
  await attached(cosign(once, { stamp }), 'cosigned-B-B-then-B-T');
  await attached(cosign(stamped, { stamp }), 'cosigned-B-T');
  await attached(buffer(signTogether(CONTENT, { signatures: [], key: ana, ...options })), 'together');
  await attached(attach(ana, { policy: POLICY }), 'policy');
  await attached(buffer(encodePem(once)), 'pem');
  await attached(buffer(encodePem(stamped)), 'pem-B-T');
  return files;
}
