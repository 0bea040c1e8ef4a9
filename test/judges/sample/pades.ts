import type { SigningDigest } from '../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../shared/signing/key.ts';
import { type SignPadesOptions, signPades } from '../../../shared/signing/pades/sign.ts';
import { signerStamp } from '../../../shared/signing/visual/signer-stamp.ts';
import { hybridPdf, plainPdf } from '../../shared/signing/pades/documents.ts';
import { KEY_KINDS, type Parties } from './parties.ts';
import { named, POLICY, type SampleFile } from './sample.ts';

const DIGESTS: readonly SigningDigest[] = ['sha256', 'sha384', 'sha512'];
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Levels = Readonly<Record<'B-B' | 'B-T' | 'B-LT' | 'B-LTA', Partial<SignPadesOptions>>>;

/** The options of each level. */
export const padesLevels = ({ stamp, evidence }: Parties): Levels => ({
  'B-B': {},
  'B-T': { stamp },
  'B-LT': { stamp, evidence },
  'B-LTA': { stamp, evidence, archive: stamp },
});

/** PDFs of every key, digest and level, and of every way to put a signature into one. */
export async function padesFiles(parties: Parties): Promise<SampleFile[]> {
  const { nowMs, keys } = parties;
  const levels = padesLevels(parties);
  const plain = await plainPdf('table', { pages: 1 });
  const sign = (file: Uint8Array, key: SigningKey, more: Partial<SignPadesOptions> = {}) =>
    signPades(file, key, { signingTimeMs: nowMs, ...more });
  const files: SampleFile[] = [];
  const add = async (signed: Promise<Buffer>, ...parts: readonly string[]): Promise<Buffer> => {
    const bytes = await signed;
    files.push({ name: named('pades', ...parts, 'pdf'), bytes });
    return bytes;
  };

  for (const kind of KEY_KINDS) {
    for (const digest of DIGESTS) await add(sign(plain, keys[kind], { digest }), kind, digest, 'B-B');
    for (const level of ['B-T', 'B-LT', 'B-LTA'] as const)
      await add(sign(plain, keys[kind], levels[level]), kind, level);
  }
  for (const digest of ['sha384', 'sha512'] as const)
    await add(sign(plain, keys.p384, { digest, ...levels['B-LTA'] }), 'p384', digest, 'B-LTA');

  const { rsa2048: ana, p256: bia, p384: company } = keys;
  for (const [kind, file] of Object.entries({
    streams: await plainPdf('streams', { pages: 3 }),
    hybrid: hybridPdf(),
    form: await plainPdf('table', { form: true }),
    turned: await plainPdf('streams', { rotate: 90 }),
  }))
    await add(sign(file, ana), kind);

  await add(sign(await plainPdf('streams'), ana, levels['B-LTA']), 'streams-B-LTA');

  const place = { page: 1, x: 50, y: 50, width: 200, height: 60 };
  await add(sign(plain, ana, { visible: { lines: ['Ana', 'agreed'], place } }), 'visible-lines');
  await add(sign(plain, ana, { visible: { image: PICTURE, lines: ['Ana'], place } }), 'visible-picture');
  const stamp = signerStamp({ certificate: ana.certificate, signingTimeMs: nowMs });
  await add(sign(plain, ana, { visible: { stamp, place } }), 'visible-stamp');
  const about = {
    name: 'Ana',
    reason: 'Contrato nº 1',
    location: 'São Paulo',
    contact: 'ana@sandbox.example',
  };
  await add(sign(plain, ana, about), 'texts');
  await add(sign(plain, ana, { field: 'Comprador' }), 'field');

  const once = await sign(plain, ana);
  const twice = await add(sign(once, bia), 'cosigned-B-B');
  await add(sign(twice, company, { visible: { lines: ['third'], place } }), 'cosigned-three');
  await add(sign(once, bia, levels['B-T']), 'cosigned-B-B-then-B-T');
  await add(sign(await sign(plain, ana, levels['B-T']), bia, levels['B-T']), 'cosigned-B-T');
  await add(sign(await sign(plain, ana, levels['B-LT']), bia, levels['B-LT']), 'cosigned-B-LT');
  await add(sign(await sign(plain, ana, levels['B-LTA']), bia, levels['B-LTA']), 'cosigned-B-LTA');
  await add(sign(await sign(plain, ana, { field: 'one' }), bia, { field: 'two' }), 'second-field');

  await add(sign(plain, ana, { policy: POLICY }), 'policy');
  for (const certify of [1, 2, 3] as const) await add(sign(plain, ana, { certify }), `certified-${certify}`);
  for (const certify of [2, 3] as const)
    await add(sign(await sign(plain, ana, { certify }), bia), `certified-${certify}-then-signed`);
  const more = { ...levels['B-LTA'], visible: { stamp, place }, field: 'Comprador', ...about };
  await add(sign(await plainPdf('streams'), company, more), 'everything');
  await add(sign(plain, ana, { certify: 2, ...levels['B-LTA'] }), 'certified-2-B-LTA');
  return files;
}
