import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// One-time codes of authenticator apps (RFC 6238).

// RFC 4226, section 4 (R6), recommends 160 bits.
const SECRET_BYTES = 20;

/** A new secret, in base32. @example const secret = newTotpSecret(); */
export const newTotpSecret = (): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32;

const ISSUER = 'Sinete';
const STEP_SECONDS = 30;
// RFC 6238, section 5.2: one step for the delay of the network, and one for a clock that is fast.
const WINDOW_STEPS = 1;

const totpOf = (label: string, secret: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** The address that authenticator apps read. @example 'otpauth://totp/Sinete:ana%40acme.example?issuer=Sinete&secret=…' */
export const otpauthUriOf = (label: string, secret: string): string => totpOf(label, secret).toString();

/**
 * The time step that a code belongs to; undefined for one that is wrong now. Apps show codes in two groups. A step that
 * was accepted must not be accepted again.
 * @example const step = stepOf(secret, '123 456', nowMs);
 */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf('', secret).validate({ token, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / STEP_SECONDS) + delta;
}
