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

/** Each certificate is signed with its issuer's key (RFC 5280, 6.1.3 a 1). */
export const signatureRule: Rule = ({ anchor, settings: { checks } }) => {
  let parameters = dsaParameters(anchor);
  return ({ certificate, issuer }) => {
    const key = keyWithParameters(issuer, parameters);
    parameters =
      dsaParameters(certificate) ?? (certificate.keyAlgorithm.oid === DSA ? parameters : undefined);
    if (!key) {
      const about = `The key of ${displayName(issuer)} is of an unsupported type`;
      return [
        errorFinding(
          'InvalidCertificateSignature',
          `${about}, so its signature for ${displayName(certificate)} cannot be checked.`,
        ),
      ];
    }
    // A DSA key that inherits its parameters is a different key on each path: its results are not shared.
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
        `The signature on the certificate of ${who} was not made by ${displayName(issuer)}.`,
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

/** A DSA key without parameters inherits those of its issuer's key (RFC 5280, 6.1.4 d to f). */
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
