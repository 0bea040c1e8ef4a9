import { createReadStream, readFileSync, statSync } from 'node:fs';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { createJudge } from '../../shared/pki/verdict/verdict.ts';
import { displayName, formatTime } from '../../shared/pki/verdict/words.ts';
import { type CollectEvidence, evidenceBy } from '../../shared/signing/pades/evidence-by.ts';
import { type SignPadesOptions, signPadesInPieces } from '../../shared/signing/pades/sign.ts';
import { needFile } from '../common/named-file.ts';
import { counted, progress } from '../common/progress.ts';
import { anchorsIn, published } from '../common/trust.ts';
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
    evidence: isLongTerm ? proofFor(options, common.signingTimeMs) : undefined,
    archive: level === 'B-LTA' ? common.stamp : undefined,
  });
}

/** What verifiers need when nobody answers any more: paths to a root, and lists and responses that none was revoked. */
function proofFor({ trust, level }: Options, atMs: number): CollectEvidence {
  const anchors = anchorsIn(trust);
  if (anchors.length === 0)
    throw new Error(`Level ${level} collects proof up to a root that is trusted. Name one: --trust FILE`);
  return evidenceBy(createJudge({ anchors, source: published() }), atMs);
}

/** A PDF must be in memory to be signed; a large one takes a moment to get there. */
async function readWhole(file: string): Promise<Buffer> {
  const totalBytes = statSync(file).size;
  const bar = progress({ label: `Reading ${file}`, totalBytes });
  const whole = Buffer.allocUnsafe(totalBytes);
  let at = 0;
  try {
    for await (const chunk of counted(createReadStream(file), bar)) {
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
    ...(image !== undefined && { image: imageIn(image) }),
  };
}

function imageIn(file: string): Buffer {
  needFile(file, { option: '--image' });
  return readFileSync(file);
}
