import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Element } from '../../../der/read.ts';
import { TAG } from '../../../der/tags.ts';
import { bitString, oid, sequence } from '../../../der/write.ts';
import { type Certificate, PublicKeyUnsupported } from '../../certificate/certificate.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, type Finding, passedFinding } from '../../findings/validation-results.ts';
import { type CheckOutcome, checkIssuedBy, checkSignedBy } from '../checks.ts';
import type { Rule } from './rule.ts';

const DSA = '1.2.840.10040.4.1';

/** Each certificate is signed with the key of the one above it (6.1.3 a 1). */
export const signatureRule: Rule = ({ anchor, settings: { checks } }) => {
  let parameters = dsaParameters(anchor);
  return ({ certificate, issuer }) => {
    const key = keyWithParameters(issuer, parameters);
    parameters =
      dsaParameters(certificate) ?? (certificate.keyAlgorithm.oid === DSA ? parameters : undefined);
    if (!key) {
      const about = `The key of ${displayName(issuer)} is of a kind that is not known`;
      return [
        errorFinding(
          'InvalidCertificateSignature',
          `${about}, so what it signed for ${displayName(certificate)} cannot be checked.`,
        ),
      ];
    }
    // A key that takes its parameters from above is another one on every path.
    const isOwn = issuer.keyAlgorithm.oid !== DSA;
    const outcome = isOwn
      ? checkIssuedBy(certificate, issuer, checks)
      : checkSignedBy(certificate, key, checks);
    return [findingFor(outcome, certificate, issuer)];
  };
};

function findingFor(outcome: CheckOutcome, certificate: Certificate, issuer: Certificate): Finding {
  const who = displayName(certificate);
  switch (outcome) {
    case 'made':
      return passedFinding(`The certificate of ${who} is signed by ${displayName(issuer)}.`);
    case 'not-made':
      return errorFinding(
        'InvalidCertificateSignature',
        `The signature on the certificate of ${who} is not one of ${displayName(issuer)}.`,
      );
    case 'unsupported':
      return errorFinding(
        'InvalidCertificateSignature',
        `The signature of ${displayName(issuer)} on the certificate of ${who} uses an algorithm or key that is not supported here (${certificate.signatureAlgorithm.oid}), and was not checked.`,
      );
    case 'not-checked':
      return errorFinding(
        'InvalidCertificateSignature',
        `The signature on the certificate of ${who} was not checked: the file asks for more checks than one may.`,
      );
  }
}

/** A DSA key may leave its parameters out; then they are those of the key above it (6.1.4 f). */
function dsaParameters({ keyAlgorithm }: Certificate): Element | undefined {
  const { oid: algorithm, parameters } = keyAlgorithm;
  return algorithm === DSA && parameters?.tag === TAG.SEQUENCE ? parameters : undefined;
}

function keyWithParameters(issuer: Certificate, inherited: Element | undefined): KeyObject | undefined {
  const inherits = issuer.keyAlgorithm.oid === DSA && !dsaParameters(issuer) && inherited;
  try {
    if (!inherits) return issuer.publicKey;
    const key = sequence(sequence(oid(DSA), inherited.raw), bitString(issuer.keyBits));
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch (error) {
    if (inherits || error instanceof PublicKeyUnsupported) return undefined;
    throw error;
  }
}
