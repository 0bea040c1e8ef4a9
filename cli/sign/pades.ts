import { readFileSync } from 'node:fs';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName, formatTime } from '../../shared/pki/findings/display.ts';
import { createJudge } from '../../shared/pki/verdict/verdict.ts';
import { type CollectEvidence, collectEvidenceWith } from '../../shared/signing/pades/collect-evidence.ts';
import type { SignFileOptions } from '../../shared/signing/sign-file.ts';
import { requireFile } from '../arguments/named-file.ts';
import { onlineRevocation, readAnchors } from '../arguments/trust.ts';
import type { Job } from './job.ts';
import type { Options } from './options.ts';

type PadesOptions = NonNullable<SignFileOptions['pades']>;

/** The options of a PDF's signature: its field, appearance and long-term proof. */
export function padesOptions({ options, key, common }: Job): PadesOptions {
  const { level, field, reason, location } = options;
  const isLongTerm = level === 'B-LT' || level === 'B-LTA';
  return {
    field,
    reason,
    location,
    visible: visibleOf(options, key.certificate, common.signingTimeMs),
    evidence: isLongTerm ? evidenceCollector(options, common.signingTimeMs) : undefined,
    archive: level === 'B-LTA' ? common.stamp : undefined,
  };
}

/** Collects the evidence of long-term validation: paths to a root, and CRLs or OCSP responses. */
function evidenceCollector({ trust, level }: Options, atMs: number): CollectEvidence {
  const anchors = readAnchors(trust);
  if (anchors.length === 0)
    throw new Error(`Level ${level} needs a trusted root to collect evidence for. Name one: --trust FILE`);
  return collectEvidenceWith(createJudge({ anchors, source: onlineRevocation() }), atMs);
}

function visibleOf(
  { visible, image, field }: Options,
  certificate: Certificate,
  atMs: number,
): PadesOptions['visible'] {
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
