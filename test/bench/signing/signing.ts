import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import forge from 'node-forge';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import { testPki } from '../../certificates/pki.ts';
import { type Figure, median } from '../measure/figures.ts';
import { opensslPerSecond } from '../measure/openssl.ts';
import { rawPdf } from '../measure/raw-pdf.ts';

const SECONDS = 3;
const ROUNDS = 3;
const PDF_BYTES = 100 * 1024;

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let done = 0;
  const start = performance.now();
  while (performance.now() < end) {
    await work();
    done++;
  }
  return (done * 1000) / (performance.now() - start);
}

/** PAdES signatures a second against openssl's RSA alone on the same core, and PKCS#12 files opened a second. */
export async function figures(): Promise<Figure[]> {
  const { certificate, privateKey, chain } = testPki().holder();
  const key = localKey(privateKey, certificate, chain);
  const pdf = rawPdf(PDF_BYTES);
  const p12 = await writePkcs12({ privateKey, certificate, chain }, '1234', 2048);
  const theirs = new SignPdf();
  const placed = plainAddPlaceholder({
    pdfBuffer: pdf,
    reason: 'bench',
    contactInfo: '',
    name: '',
    location: '',
    signatureLength: 16_384,
  });
  const sign = () => signPades(pdf, key, { signingTimeMs: Date.now() });
  const signTheirs = () => theirs.sign(placed, new P12Signer(p12, { passphrase: '1234' }));

  await sign();
  const rounds: { ours: number; openssl: number }[] = [];
  for (let n = 0; n < ROUNDS; n++)
    rounds.push({ openssl: opensslPerSecond(SECONDS), ours: await perSecond(sign) });
  const signpdf = await perSecond(signTheirs);
  const opened = await perSecond(() => openPkcs12(p12, '1234'));
  const openedByForge = await perSecond(async () =>
    forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('latin1')), '1234'),
  );
  return [
    {
      name: 'PAdES on a 100 KB PDF against `openssl speed rsa2048`',
      ratio: median(rounds.map(({ ours, openssl }) => ours / openssl)),
      promised: { atLeast: 0.7 },
      detail: `${median(rounds.map(({ ours }) => ours)).toFixed(0)} and ${median(rounds.map(({ openssl }) => openssl)).toFixed(0)} signatures/s; @signpdf ${signpdf.toFixed(0)}`,
    },
    {
      name: 'PKCS#12 files of 2,048 rounds opened, against node-forge',
      ratio: opened / openedByForge,
      promised: { atLeast: 2 },
      detail: `${opened.toFixed(0)} and ${openedByForge.toFixed(0)} files/s`,
    },
  ];
}
