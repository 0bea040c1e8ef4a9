import type { Certificate } from '../../certificate/certificate.ts';
import { subjectAltNames } from '../../extensions/extensions.ts';
import type { GeneralName } from '../../extensions/general-names.ts';
import { type NameConstraints, nameConstraints } from '../../extensions/name-constraints.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { nameIsUnder } from '../../name/match.ts';
import { NAME_OID } from '../../name/oids.ts';
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

/**
 * Whether a name is in the subtree of a constraint of the same form (RFC 5280, 4.2.1.10). `unknown` for forms without a
 * rule here.
 */
function liesUnder(name: GeneralName, base: GeneralName): boolean | 'unknown' {
  if (name.kind === 'directoryName' && base.kind === 'directoryName')
    return nameIsUnder(name.name, base.name);
  if (name.kind === 'ipAddress' && base.kind === 'ipAddress') return addressIsUnder(name.value, base.value);
  if (name.kind === 'dnsName' && base.kind === 'dnsName') return hostIsUnder(name.value, base.value);
  if (name.kind === 'rfc822Name' && base.kind === 'rfc822Name') return mailboxIsUnder(name.value, base.value);
  if (name.kind === 'uri' && base.kind === 'uri') return uriIsUnder(name.value, base.value);
  return 'unknown';
}

// `example.com` covers itself and every name below it; `.example.com` only the names below.
function hostIsUnder(name: string, base: string): boolean {
  const [host, constraint] = [name.toLowerCase().replace(/\.$/, ''), base.toLowerCase()];
  if (constraint === '' || host === constraint) return true;
  return host.endsWith(constraint.startsWith('.') ? constraint : `.${constraint}`);
}

// `a@example.com` is one mailbox, `example.com` all mailboxes of that host, `.example.com` those of the hosts below.
function mailboxIsUnder(name: string, base: string): boolean {
  const at = name.lastIndexOf('@');
  const host = name.slice(at + 1).toLowerCase();
  if (base.includes('@')) {
    const baseAt = base.lastIndexOf('@');
    return name.slice(0, at) === base.slice(0, baseAt) && host === base.slice(baseAt + 1).toLowerCase();
  }
  const constraint = base.toLowerCase();
  return constraint.startsWith('.') ? host.endsWith(constraint) : constraint === '' || host === constraint;
}

// Only the host counts. A URI without a host, or with an IP address, cannot be compared: it is `unknown`.
function uriIsUnder(name: string, base: string): boolean | 'unknown' {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)/i.exec(name)?.[1]?.toLowerCase();
  if (host === undefined || /^[\d.]+$/.test(host)) return 'unknown';
  const constraint = base.toLowerCase();
  return constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint;
}

// The constraint is an address followed by a mask of the same length.
function addressIsUnder(address: Buffer, base: Buffer): boolean {
  if (base.length !== address.length * 2) return false;
  return address.every((byte, i) => {
    const mask = base[address.length + i] ?? 0;
    return (byte & mask) === ((base[i] ?? 0) & mask);
  });
}
