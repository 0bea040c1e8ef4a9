import { randomBytes } from 'node:crypto';

// 64 bits: nobody finds a code by trying, at 30 looks a minute and address.
const CODE_BYTES = 8;

/**
 * A code by which anybody looks a credential up: the e-MEC codes of the issuer and of the registrar, and a random part.
 * @example newVerificationCode('1234', '567') // '1234.567.9f86d081884c7d65'
 */
export const newVerificationCode = (issuerEmec: string, registrarEmec: string): string =>
  `${issuerEmec}.${registrarEmec}.${randomBytes(CODE_BYTES).toString('hex')}`;

/** Whether a text has the form of a code. */
export const isVerificationCode = (text: string): boolean =>
  /^\d{1,10}\.\d{1,10}\.[0-9a-f]{12,64}$/.test(text);
