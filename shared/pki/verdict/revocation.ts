import type { Certificate } from '../certificate/certificate.ts';
import type { RevocationOutcome } from '../revocation/outcome.ts';
import type { RevocationReason } from '../revocation/reasons.ts';
import { type Finding, failed, passed, resultsOf, warned } from './validation-results.ts';
import { called, moment } from './words.ts';

/** A certificate's revocation status, in words. */
export function findingsOn(
  certificate: Certificate,
  outcome: RevocationOutcome,
  ignoreUnknown: boolean,
): Finding[] {
  const who = called(certificate);
  switch (outcome.status) {
    case 'revoked': {
      const { revokedAtMs, reason } = outcome.revocation;
      const message = `The certificate of ${who} was ${DEEDS[reason] ?? 'revoked'} on ${moment(revokedAtMs)}.`;
      return [failed('CertificateRevoked', message, { detail: `By ${outcome.by}, reason ${reason}.` })];
    }
    case 'good': {
      const { by, thisUpdateMs, nextUpdateMs, isLate } = outcome;
      const known = passed(`The certificate of ${who} is not revoked.`, {
        detail: `By ${by} of ${moment(thisUpdateMs)}${nextUpdateMs === undefined ? '' : `, next due ${moment(nextUpdateMs)}`}.`,
      });
      return isLate ? [known, late(who, outcome.nextUpdateMs ?? thisUpdateMs)] : [known];
    }
    case 'unknown': {
      const inner = outcome.problems.length ? { innerValidationResults: resultsOf(outcome.problems) } : {};
      const tell = ignoreUnknown ? warned : failed;
      const message = `Whether the certificate of ${who} is revoked is not known: no usable revocation data could be had.`;
      return [tell('CertificateRevocationStatusUnknown', message, inner)];
    }
  }
}

const DEEDS: Partial<Record<RevocationReason, string>> = { certificateHold: 'put on hold' };

const late = (who: string, dueMs: number): Finding =>
  warned(
    'CertificateRevocationStatusUnknown',
    `Newer revocation data for ${who} was due on ${moment(dueMs)} and could not be had; the last one counts for a while.`,
  );
