import { handler as uploadToBatch } from '../../../../functions/batch/jobs/endpoints/upload-file.ts';
import { handler as uploadToCompact } from '../../../../functions/compact/endpoints/upload-file.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { FORM_TYPE, filePart, formData } from '../../../shared/http/body/form-data.ts';
import { type Figure, median } from '../../measure/figures.ts';
import { rawPdf } from '../../measure/raw-pdf.ts';
import { startWorld } from './world.ts';

const PDF_BYTES = 100 * 1024;
const ROUNDS = 120;
const WARM_UPS = 30;
const UPLOADS = { full: uploadToBatch, compact: uploadToCompact };
const SURFACES = ['full', 'compact'] as const;

// Run by batch.ts in a process of its own, which is that of the function.

/** Uploads a second of the compact surface against those of the full one, in turn. */
async function uploadFigure(): Promise<Figure> {
  const world = await startWorld();
  Object.assign(process.env, {
    Auth__ApiKey: SANDBOX_KEY,
    RateLimiting__PermitLimit: '1000000',
    RateLimiting__Upload__PermitLimit: '1000000',
  });
  try {
    const pdf = rawPdf(PDF_BYTES);
    const times: { full: number; compact: number }[] = [];
    for (let n = 0; n < WARM_UPS + ROUNDS; n++) {
      const round = { full: 0, compact: 0 };
      // The second of a round may pay for what the first one left behind.
      for (const surface of n % 2 === 0 ? SURFACES : SURFACES.toReversed())
        round[surface] = await msOf(UPLOADS[surface], `${surface}-${n}.pdf`, pdf);
      times.push(round);
    }
    const middle = (surface: 'full' | 'compact') =>
      median(times.slice(WARM_UPS).map((round) => round[surface]));
    return {
      name: 'uploads of a 100 KB PDF to the compact surface against those to batch',
      ratio: middle('full') / middle('compact'),
      promised: { atLeast: 0.9 },
      detail: `${middle('compact').toFixed(1)} and ${middle('full').toFixed(1)} ms`,
    };
  } finally {
    await world.stop();
  }
}

async function msOf(upload: Endpoint, name: string, content: Uint8Array): Promise<number> {
  const body = formData(filePart(content, { disposition: `filename="${name}"` }));
  const startedAt = performance.now();
  const { status, text } = await call(upload, { headers: { 'X-API-Key': SANDBOX_KEY, ...FORM_TYPE }, body });
  if (status !== 202) throw new Error(`An upload was answered ${status}: ${text}`);
  return performance.now() - startedAt;
}

process.send?.(await uploadFigure(), () => process.exit(0));
