import type { Certificate } from '../certificate/certificate.ts';
import { displayName, formatTime } from '../findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  resultsOf,
  warningFinding,
} from '../findings/validation-results.ts';
import type { RevocationReason } from '../revocation/reasons.ts';
import type { RevocationOutcome } from '../revocation/status/outcome.ts';

/** A certificate's revocation status, in words. */
export function revocationFindings(
  certificate: Certificate,
  outcome: RevocationOutcome,
  ignoreUnknown: boolean,
): Finding[] {
  const who = displayName(certificate);
  switch (outcome.status) {
    case 'revoked': {
      const { revokedAtMs, reason } = outcome.revocation;
      const message = `The certificate of ${who} was ${DEEDS[reason] ?? 'revoked'} on ${formatTime(revokedAtMs)}.`;
      return [errorFinding('CertificateRevoked', message, { detail: `By ${outcome.by}, reason ${reason}.` })];
    }
    case 'good': {
      const { by, thisUpdateMs, nextUpdateMs, isLate } = outcome;
      const known = passedFinding(`The certificate of ${who} is not revoked.`, {
        detail: `By ${by} of ${formatTime(thisUpdateMs)}${nextUpdateMs === undefined ? '' : `, next due ${formatTime(nextUpdateMs)}`}.`,
      });
      return isLate ? [known, lateFinding(who, outcome.nextUpdateMs ?? thisUpdateMs)] : [known];
    }
    case 'unknown': {
      const inner = outcome.problems.length ? { innerValidationResults: resultsOf(outcome.problems) } : {};
      const finding = ignoreUnknown ? warningFinding : errorFinding;
      const message = `Whether the certificate of ${who} is revoked is not known: no usable revocation data could be had.`;
      return [finding('CertificateRevocationStatusUnknown', message, inner)];
    }
  }
}

const DEEDS: Partial<Record<RevocationReason, string>> = { certificateHold: 'put on hold' };

const lateFinding = (who: string, dueMs: number): Finding =>
  warningFinding(
    'CertificateRevocationStatusUnknown',
    `Newer revocation data for ${who} was due on ${formatTime(dueMs)} and could not be had; the last one counts for a while.`,
  );
