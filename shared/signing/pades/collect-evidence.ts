import type { Certificate } from '../../pki/certificate/certificate.ts';
import { displayName } from '../../pki/findings/display.ts';
import type { Verdict } from '../../pki/verdict/judgement.ts';
import type { ValidationData } from './validation-data.ts';

/** Collects the certificates, CRLs and OCSP responses that these signers are judged by. The others may be on their paths. */
export type CollectEvidence = (
  signers: readonly Certificate[],
  others: readonly Certificate[],
) => Promise<ValidationData>;

/** A signer's certificate is not active, so no evidence can support a long-term signature. */
export class EvidenceIncomplete extends Error {
  override readonly name = 'EvidenceIncomplete';
}

type Judge = (certificate: Certificate, candidates: readonly Certificate[], atMs: number) => Promise<Verdict>;

/**
 * Collects the evidence of this judge's verdicts. The judge must check revocation: without it there is no evidence.
 * @example signPades(bytes, key, { signingTimeMs, stamp, evidence: evidenceBy(judging({ anchors, source }), now()) })
 */
export const collectEvidenceWith =
  (judge: Judge, atMs: number): CollectEvidence =>
  async (signers, others) => {
    const verdicts: Verdict[] = [];
    for (const signer of signers) {
      const verdict = await judge(signer, others, atMs);
      if (verdict.status !== 'ACTIVE')
        throw new EvidenceIncomplete(
          `The certificate of ${displayName(signer)} is ${verdict.status}, so that no long-term signature can rest on it.`,
        );
      verdicts.push(verdict);
    }
    return {
      certificates: verdicts.flatMap(({ path, evidence }) =>
        [...path, ...evidence.certificates].map(({ der }) => der),
      ),
      crls: verdicts.flatMap(({ evidence }) => evidence.crls),
      ocspResponses: verdicts.flatMap(({ evidence }) => evidence.ocspResponses),
    };
  };
