import { randomBytes } from 'node:crypto';
import { localKey } from '../../../shared/signing/key.ts';
import { testPki } from '../../certificates/pki.ts';
import { peakBytes } from '../../measure/peak-bytes.ts';

// Run by memory.ts in a process of its own: signs one thing and prints the most memory that took, in bytes.
// argv: cades|pades, or signpdf-cms|signpdf for the same by @signpdf, and the size of what is signed, 0 for nothing.

const [, , format, size = '0'] = process.argv;
const bytes = Number(size);
const CHUNK_BYTES = 65_536;

const chunk = randomBytes(CHUNK_BYTES);

async function* content(): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= chunk.length)
    yield chunk.subarray(0, Math.min(left, chunk.length));
}

const { certificate, privateKey, chain } = testPki().holder();
const key = localKey(privateKey, certificate, chain);

if (format === 'cades') {
  const { signAttached } = await import('../../../shared/signing/cades/sign.ts');
  for await (const _chunk of signAttached(content, key, { signingTimeMs: Date.now() }));
} else if (format?.startsWith('signpdf')) {
  await signWithSignpdf(format === 'signpdf');
} else {
  const { signPadesInPieces } = await import('../../../shared/signing/pades/sign.ts');
  const { rawPdf } = await import('./raw-pdf.ts');
  const pdf = rawPdf(bytes);
  // Once on next to nothing, so that what the code itself takes is in the base.
  await signPadesInPieces(rawPdf(0), key, { signingTimeMs: Date.now() });
  if (bytes > 0) await signPadesInPieces(pdf, key, { signingTimeMs: Date.now() });
}
console.log(peakBytes());

// It signs what is in memory, and a PDF's whole bytes as any others.
async function signWithSignpdf(asPdf: boolean): Promise<void> {
  const { P12Signer } = await import('@signpdf/signer-p12');
  const { writePkcs12 } = await import('../../../shared/pki/pkcs12/write.ts');
  const passphrase = '1234';
  const p12 = await writePkcs12({ privateKey, certificate, chain }, passphrase, 2048);
  const signer = () => new P12Signer(p12, { passphrase }); // one reads its file only once
  if (!asPdf) return void (await signer().sign(Buffer.concat(await Array.fromAsync(content()))));
  const { SignPdf } = await import('@signpdf/signpdf');
  const { plainAddPlaceholder } = await import('@signpdf/placeholder-plain');
  const { rawPdf } = await import('./raw-pdf.ts');
  const texts = { reason: 'bench', contactInfo: '', name: '', location: '' };
  const sign = (pdfBuffer: Buffer) =>
    new SignPdf().sign(plainAddPlaceholder({ pdfBuffer, ...texts, signatureLength: 16_384 }), signer());
  const pdf = rawPdf(bytes);
  await sign(rawPdf(0));
  if (bytes > 0) await sign(pdf);
}
