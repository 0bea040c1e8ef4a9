import type { Certificate } from '../../certificate/certificate.ts';
import { subjectAltNames } from '../../extensions/extensions.ts';
import type { GeneralName } from '../../extensions/general-names.ts';
import { type NameConstraints, nameConstraints } from '../../extensions/name-constraints.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { NAME_OID } from '../../name/oids.ts';
import { liesUnder } from './name-forms.ts';
import type { Rule } from './rule.ts';

// Denial of service: thousands of names under thousands of constraints.
const MAX_COMPARISONS = 100_000;

/** Names are within the permitted and outside the excluded subtrees of the authorities (RFC 5280, 6.1.3 b, c; 6.1.4 g). */
export const nameConstraintsRule: Rule = ({ anchor }) => {
  // RFC 5937: constraints in the anchor's own certificate apply too.
  const above = [nameConstraints(anchor)].filter((own) => own !== undefined);
  return ({ certificate, isTarget, isSelfIssued }) => {
    const violation = isSelfIssued && !isTarget ? undefined : findViolation(namesOf(certificate), above);
    const own = nameConstraints(certificate);
    if (own) above.push(own);
    if (violation)
      return [
        errorFinding(
          'CertificateValidationFailed',
          `The certificate of ${displayName(certificate)} has a name that an authority above it may not certify.`,
          { detail: violation },
        ),
      ];
    return above.length
      ? [passedFinding(`The names of ${displayName(certificate)} are within their constraints.`)]
      : [];
  };
};

/** RFC 5280, 4.2.1.10: the subject counts as a directoryName, and e-mail addresses in it as rfc822Names. */
function namesOf(certificate: Certificate): GeneralName[] {
  const { subject } = certificate;
  const mailboxes = subject.attributes.filter(({ oid }) => oid === NAME_OID.emailAddress);
  return [
    ...(subject.rdns.length ? [{ kind: 'directoryName', name: subject } as const] : []),
    ...mailboxes.map(({ value }) => ({ kind: 'rfc822Name', value }) as const),
    ...subjectAltNames(certificate),
  ];
}

function findViolation(names: readonly GeneralName[], above: readonly NameConstraints[]): string | undefined {
  const constraints = above.reduce(
    (sum, { permitted, excluded }) => sum + permitted.length + excluded.length,
    0,
  );
  if (names.length * constraints > MAX_COMPARISONS)
    return 'There are too many names and constraints to compare.';
  for (const name of names)
    for (const { permitted, excluded } of above) {
      const same = (base: GeneralName): boolean => base.kind === name.kind;
      // A name form that cannot be compared counts as excluded and as not permitted.
      if (excluded.filter(same).some((base) => liesUnder(name, base) !== false))
        return `A name of the form ${name.kind} is excluded.`;
      const allowed = permitted.filter(same);
      if (allowed.length && !allowed.some((base) => liesUnder(name, base) === true))
        return `A name of the form ${name.kind} is not permitted.`;
    }
  return undefined;
}
