import { displayName, formatTime } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import type { Rule } from './rule.ts';

/** The time of judgement is in each certificate's validity (RFC 5280, 6.1.3 a 2). */
export const validityRule: Rule =
  ({ settings: { atMs } }) =>
  ({ certificate }) => {
    const { notBeforeMs, notAfterMs } = certificate;
    if (atMs < notBeforeMs)
      return [
        errorFinding(
          'CertificateNotYetValid',
          `The certificate of ${displayName(certificate)} is not valid before ${formatTime(notBeforeMs)}; it is judged at ${formatTime(atMs)}.`,
        ),
      ];
    if (atMs > notAfterMs)
      return [
        errorFinding(
          'CertificateExpired',
          `The certificate of ${displayName(certificate)} expired on ${formatTime(notAfterMs)}; it is judged at ${formatTime(atMs)}.`,
        ),
      ];
    return [
      passedFinding(
        `The certificate of ${displayName(certificate)} is valid until ${formatTime(notAfterMs)}.`,
      ),
    ];
  };
