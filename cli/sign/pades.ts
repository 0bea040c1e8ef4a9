import { createReadStream, readFileSync, statSync } from 'node:fs';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName, formatTime } from '../../shared/pki/findings/display.ts';
import { createJudge } from '../../shared/pki/verdict/verdict.ts';
import { type CollectEvidence, collectEvidenceWith } from '../../shared/signing/pades/collect-evidence.ts';
import { type SignPadesOptions, signPadesInPieces } from '../../shared/signing/pades/sign.ts';
import { requireFile } from '../arguments/named-file.ts';
import { onlineRevocation, readAnchors } from '../arguments/trust.ts';
import { countBytes, showProgress } from '../terminal/progress.ts';
import type { Job, Signed } from './job.ts';
import type { Options } from './options.ts';

export async function* signAsPades({ options, key, common }: Job): Signed {
  const { level, field, reason, location } = options;
  const isLongTerm = level === 'B-LT' || level === 'B-LTA';
  yield* await signPadesInPieces(await readWhole(options.file), key, {
    ...common,
    field,
    reason,
    location,
    visible: visibleOf(options, key.certificate, common.signingTimeMs),
    evidence: isLongTerm ? evidenceCollector(options, common.signingTimeMs) : undefined,
    archive: level === 'B-LTA' ? common.stamp : undefined,
  });
}

/** Collects the evidence of long-term validation: paths to a root, and CRLs or OCSP responses. */
function evidenceCollector({ trust, level }: Options, atMs: number): CollectEvidence {
  const anchors = readAnchors(trust);
  if (anchors.length === 0)
    throw new Error(`Level ${level} needs a trusted root to collect evidence for. Name one: --trust FILE`);
  return collectEvidenceWith(createJudge({ anchors, source: onlineRevocation() }), atMs);
}

/** Reads the whole PDF into memory, as signing needs it. */
async function readWhole(file: string): Promise<Buffer> {
  const totalBytes = statSync(file).size;
  const bar = showProgress({ label: `Reading ${file}`, totalBytes });
  const whole = Buffer.allocUnsafe(totalBytes);
  let at = 0;
  try {
    for await (const chunk of countBytes(createReadStream(file), bar)) {
      whole.set(chunk.subarray(0, totalBytes - at), at);
      at += chunk.byteLength;
    }
  } finally {
    bar.end();
  }
  if (at !== totalBytes) throw new Error(`${file} changed while it was being read. Sign it again.`);
  return whole;
}

function visibleOf(
  { visible, image, field }: Options,
  certificate: Certificate,
  atMs: number,
): SignPadesOptions['visible'] {
  if (!visible && !image) return undefined;
  if (!visible && field === undefined)
    throw new Error('Say where the image is shown: --visible page,x,y,width,height, or --field NAME.');
  return {
    lines: [displayName(certificate), formatTime(atMs)],
    ...(visible && { place: visible }),
    ...(image !== undefined && { image: readImage(image) }),
  };
}

function readImage(file: string): Buffer {
  requireFile(file, { option: '--image' });
  return readFileSync(file);
}
