import type { KeyObject } from 'node:crypto';
import { processWide } from '../../async/process-wide.ts';
import { type TimeBudget, tryChargeTime } from '../../bounds/budget.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { checkUnits } from './key-cost.ts';
import { outcomeOfSignature, type SignatureOutcome, type Signed } from './signed.ts';

/** 'not-checked': the budget of the file was exhausted before. */
export type CheckOutcome = SignatureOutcome | 'not-checked';

/**
 * The budget for checking the signatures of one certificate or of one file with everything that it brings along, and
 * the outcomes so far. The cost of a check is counted by the kind of key.
 */
export type Checks = TimeBudget & { readonly known: Map<string, CheckOutcome> };

// A chain of four with its CRLs and a timestamp takes some twenty checks: 4 million units with RSA, 100 million with the
// slowest curves. A hundred signatures in one file share the certificates above them.
const MAX_UNITS = 500_000_000;
const MIN_UNITS = 100_000_000;

/**
 * A new budget. A file that took much of its own budget to read gets less.
 * @example judge(certificate, { anchors, atMs, checks: newChecks() })
 */
export const newChecks = (leftUnits = MAX_UNITS): Checks => ({
  leftUnits: Math.max(MIN_UNITS, Math.min(MAX_UNITS, leftUnits)),
  known: new Map(),
});

/** Charges one check with this key. Returns false once the budget is exhausted. */
export const tryChargeCheck = (key: KeyObject, checks: Checks): boolean =>
  tryChargeTime(checks, checkUnits(key));

// Measured on timestamp tokens of 4 KB: 0.4 ms. Larger ones hold CRLs, which are not read item by item.
const READ_UNITS_A_BYTE = 100;
const MAX_READ_BYTES = 65_536;

/** Charges the reading of a signature inside another, such as a timestamp. Returns false as above. */
export const tryChargeReading = (bytes: number, checks: Checks): boolean =>
  tryChargeTime(checks, READ_UNITS_A_BYTE * Math.min(bytes, MAX_READ_BYTES));

const HASH_UNITS_A_BYTE = 4; // where the processor has no instructions for it

/** Charges the hashing of a file's content. Returns false as above. */
export const tryChargeHashing = (bytes: number, checks: Checks): boolean =>
  tryChargeTime(checks, HASH_UNITS_A_BYTE * bytes);

// What was signed stays signed. A busy service meets the same chains, CRLs and OCSP responses in every call. What was read
// lately are the same objects, so these entries go with them.
const madeBy = processWide('pki.signed', () => new WeakMap<Signed, WeakSet<KeyObject>>());

/** Whether this key made the signature, as far as the budget allows to check it. */
export function checkSignedBy(signed: Signed, key: KeyObject, checks: Checks): CheckOutcome {
  const keys = madeBy.get(signed) ?? new WeakSet();
  if (keys.has(key)) return 'made';
  const found = tryChargeCheck(key, checks) ? outcomeOfSignature(signed, key) : 'not-checked';
  if (found === 'made') madeBy.set(signed, keys.add(key));
  return found;
}

/** Whether this key made the signature. The answer is no once the budget is exhausted. */
export const isChecked = (signed: Signed, key: KeyObject, checks: Checks): boolean =>
  checkSignedBy(signed, key, checks) === 'made';

/** The same for a certificate and its issuer, remembered for every path that goes through both. */
export function checkIssuedBy(certificate: Certificate, issuer: Certificate, checks: Checks): CheckOutcome {
  const id = `${certificate.sha256} ${issuer.sha256}`;
  const known = checks.known.get(id);
  if (known !== undefined) return known;
  const found = checkSignedBy(certificate, issuer.publicKey, checks);
  checks.known.set(id, found);
  return found;
}
