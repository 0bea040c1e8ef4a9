import { localKey } from '../../../shared/signing/key.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import { apiSigner } from '../measure/api-signer.ts';
import type { Figure } from '../measure/figures.ts';
import { inTurns } from '../measure/load.ts';
import { rawPdf } from '../measure/raw-pdf.ts';

const PDF_BYTES = 100 * 1024;
const SIGNATURES = 1_000;
// Callers of a service come at once, and its stores write for several together.
const AT_ONCE = 10;

/** Signatures by API, both steps in this process with their stores, against the signature alone. */
export async function figures(): Promise<Figure[]> {
  const { holder, signByApi, stop } = await apiSigner();
  const pdf = rawPdf(PDF_BYTES);
  const file = { content: pdf.toString('base64'), name: 'contract.pdf' };
  const key = localKey(holder.privateKey, holder.certificate, holder.chain);
  const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    let next = 0;
    const line = async () => {
      while (next++ < SIGNATURES) await work();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, line));
    return (SIGNATURES * 1000) / (performance.now() - start);
  };
  try {
    await signByApi(file);
    const { ratio, ours, theirs } = await inTurns(
      () => perSecond(() => signByApi(file)),
      () => perSecond(() => signPades(pdf, key, { signingTimeMs: Date.now() })),
    );
    return [
      {
        name: '1,000 signatures by API of a 100 KB PDF, in process, against the signature alone',
        ratio,
        promised: { atLeast: 0.3 },
        detail: `${ours} and ${theirs} a second; the key, the judgement of the certificate, two files and three writes are the rest`,
      },
    ];
  } finally {
    await stop();
  }
}
