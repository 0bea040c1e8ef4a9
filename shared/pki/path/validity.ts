import { failed, passed } from '../verdict/validation-results.ts';
import { called, moment } from '../verdict/words.ts';
import type { Rule } from './rule.ts';

/** The time of judgement lies in each certificate's validity (6.1.3 a 2). */
export const validityRule: Rule =
  ({ settings: { atMs } }) =>
  ({ certificate }) => {
    const { notBeforeMs, notAfterMs } = certificate;
    if (atMs < notBeforeMs)
      return [
        failed(
          'CertificateNotYetValid',
          `The certificate of ${called(certificate)} is not valid before ${moment(notBeforeMs)}; it is judged at ${moment(atMs)}.`,
        ),
      ];
    if (atMs > notAfterMs)
      return [
        failed(
          'CertificateExpired',
          `The certificate of ${called(certificate)} expired on ${moment(notAfterMs)}; it is judged at ${moment(atMs)}.`,
        ),
      ];
    return [passed(`The certificate of ${called(certificate)} is valid until ${moment(notAfterMs)}.`)];
  };
