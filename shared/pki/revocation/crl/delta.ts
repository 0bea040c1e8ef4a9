import type { Crl } from './crl.ts';
import { CRL_EXTENSION } from './extensions.ts';

export const isDelta = ({ baseNumber }: Crl): boolean => baseNumber !== undefined;

/** Whether a delta CRL continues this complete one (RFC 5280, 5.2.4 and 6.3.3 c): same scope, right numbers. */
export function isDeltaOf(delta: Crl, complete: Crl): boolean {
  if (delta.baseNumber === undefined || delta.number === undefined || complete.number === undefined)
    return false;
  return (
    delta.issuer.der.equals(complete.issuer.der) &&
    areEqual(scopeOf(delta), scopeOf(complete)) &&
    areEqual(delta.issuerKeyIdentifier, complete.issuerKeyIdentifier) &&
    delta.baseNumber <= complete.number &&
    complete.number < delta.number
  );
}

const scopeOf = ({ extensions }: Crl): Buffer | undefined =>
  extensions.get(CRL_EXTENSION.issuingPoint)?.value;

const areEqual = (a: Buffer | undefined, b: Buffer | undefined): boolean => (a && b ? a.equals(b) : a === b);
