import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { Verdict } from '../../pki/verdict/verdict.ts';
import { displayName } from '../../pki/verdict/words.ts';
import type { ValidationData } from './validation-data.ts';

/** Gives the certificates, CRLs and OCSP responses that these signers are judged by; the others may lie on their paths. */
export type CollectEvidence = (
  signers: readonly Certificate[],
  others: readonly Certificate[],
) => Promise<ValidationData>;

/** A signer cannot be vouched for, so that keeping what speaks of them would keep nothing. */
export class EvidenceIncomplete extends Error {
  override readonly name = 'EvidenceIncomplete';
}

type Judge = (certificate: Certificate, candidates: readonly Certificate[], atMs: number) => Promise<Verdict>;

/**
 * The evidence that verdicts rest on. The judge must check revocation, or there is none.
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
