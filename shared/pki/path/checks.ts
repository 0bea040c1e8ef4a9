import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../certificate/certificate.ts';
import { checkUnits } from './key-cost.ts';
import { outcomeOfSignature, type SignatureOutcome, type Signed } from './signed.ts';

/** 'not-checked': the budget of the file was spent before. */
export type CheckOutcome = SignatureOutcome | 'not-checked';

/**
 * How much checking of signatures one question may still ask for, everything that a file brings along included, and
 * what was found so far. A unit is about a nanosecond of one core; it is counted by the kind of key and never by a
 * clock, so that the same question always comes out the same way.
 */
export type Checks = { leftUnits: number; readonly known: Map<string, CheckOutcome> };

// A chain of four with its lists and a timestamp asks for some twenty: 4 million with RSA, 100 with the slowest curves.
// A hundred signatures in one file share what stands above them.
const MAX_UNITS = 500_000_000;
const FEW_UNITS = 100_000_000;

/**
 * For one certificate, or for all of one file; fewer where reading the file has taken much of its time already.
 * @example judge(certificate, { anchors, atMs, checks: newChecks() })
 */
export const newChecks = (leftUnits = MAX_UNITS): Checks => ({
  leftUnits: Math.max(FEW_UNITS, Math.min(MAX_UNITS, leftUnits)),
  known: new Map(),
});

function spend(units: number, checks: Checks): boolean {
  checks.leftUnits -= units;
  return checks.leftUnits >= 0;
}

/** Takes the cost of one check with this key. False when there is no more to spend. */
export const spendCheck = (key: KeyObject, checks: Checks): boolean => spend(checkUnits(key), checks);

// Measured on timestamp tokens of 4 KB: 0.4 ms. What is larger holds lists, which are taken whole.
const READ_UNITS_A_BYTE = 100;
const MAX_READ_BYTES = 65_536;

/** Takes the cost of reading a signature that stands inside another, such as a timestamp. False as above. */
export const spendReading = (bytes: number, checks: Checks): boolean =>
  spend(READ_UNITS_A_BYTE * Math.min(bytes, MAX_READ_BYTES), checks);

const HASH_UNITS_A_BYTE = 4; // where the processor has no instructions for it

/** Takes the cost of hashing what a file holds. False as above. */
export const spendHashing = (bytes: number, checks: Checks): boolean =>
  spend(HASH_UNITS_A_BYTE * bytes, checks);

/** Whether this key made the signature, as far as it can be checked within the budget. */
export const checkSignedBy = (signed: Signed, key: KeyObject, checks: Checks): CheckOutcome =>
  spendCheck(key, checks) ? outcomeOfSignature(signed, key) : 'not-checked';

/** Whether this key made the signature. Who asks for more than there is to spend is told no. */
export const isChecked = (signed: Signed, key: KeyObject, checks: Checks): boolean =>
  checkSignedBy(signed, key, checks) === 'made';

/** The same for a certificate and its issuer, who meet again on every path that leads through both. */
export function checkIssuedBy(certificate: Certificate, issuer: Certificate, checks: Checks): CheckOutcome {
  const id = `${certificate.sha256} ${issuer.sha256}`;
  const known = checks.known.get(id);
  if (known !== undefined) return known;
  const found = checkSignedBy(certificate, issuer.publicKey, checks);
  checks.known.set(id, found);
  return found;
}
