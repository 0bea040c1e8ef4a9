import { unlessThrown } from '../../../shared/errors/expected.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { CertificateMalformed, parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { KeyUnusable, PinRejected } from '../key-store.ts';
import { ckr, type Module, type Token } from './module.ts';

// Tokens hold a handful of objects of a kind.
const MAX_OBJECTS = 100;
// Large enough for a signature of any supported key.
const MAX_SIGNATURE_BYTES = 1_024;

export type TokenCertificate = { readonly id: Buffer; readonly certificate: Certificate };

/** Runs a function in a session of its own, which ends with it: nothing stays logged in. */
export async function withSession<T>(
  module: Module,
  { slot }: Token,
  run: (session: TokenSession) => T | Promise<T>,
): Promise<T> {
  const { calls, constants } = module;
  const handle = calls.C_OpenSession(slot, constants.CKF_SERIAL_SESSION); // read-only: nothing is written to a token
  try {
    return await run(tokenSession(module, handle));
  } finally {
    // A removed token has ended its sessions itself.
    ignoreTokenError(() => calls.C_Logout(handle));
    ignoreTokenError(() => calls.C_CloseSession(handle));
  }
}

function ignoreTokenError(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (ckr(error) === undefined) throw error;
  }
}

export type TokenSession = ReturnType<typeof tokenSession>;

function tokenSession({ calls, constants: ck }: Module, handle: Buffer) {
  const find = (...template: { type: number; value: number | Buffer }[]): Buffer[] => {
    calls.C_FindObjectsInit(handle, template);
    try {
      return calls.C_FindObjects(handle, MAX_OBJECTS);
    } finally {
      calls.C_FindObjectsFinal(handle);
    }
  };
  const attribute = (object: Buffer, type: number): Buffer => {
    const [read] = calls.C_GetAttributeValue(handle, object, [{ type }]);
    return Buffer.from(read?.value as Buffer);
  };
  const keyOf = (id: Buffer): Buffer | undefined =>
    find({ type: ck.CKA_CLASS, value: ck.CKO_PRIVATE_KEY }, { type: ck.CKA_ID, value: id })[0];

  // A token that does not know the attribute has no such keys.
  const wantsPinEachTime = (key: Buffer): boolean => {
    try {
      return attribute(key, ck.CKA_ALWAYS_AUTHENTICATE)[0] === 1;
    } catch (error) {
      if (ckr(error) === undefined) throw error;
      return false;
    }
  };

  // A token that is logged in accepts any PIN, so a login must start from a logout.
  const login = (pin: string): void => {
    try {
      calls.C_Login(handle, ck.CKU_USER, pin);
    } catch (error) {
      if (ckr(error) !== ck.CKR_USER_ALREADY_LOGGED_IN) throw error;
      calls.C_Logout(handle);
      calls.C_Login(handle, ck.CKU_USER, pin);
    }
  };

  return {
    login,
    /** Public objects, readable without the PIN. */
    certificates: (): TokenCertificate[] =>
      find(
        { type: ck.CKA_CLASS, value: ck.CKO_CERTIFICATE },
        { type: ck.CKA_CERTIFICATE_TYPE, value: ck.CKC_X_509 },
      ).flatMap((object) => {
        const certificate = parseOrSkip(attribute(object, ck.CKA_VALUE));
        return certificate ? [{ id: attribute(object, ck.CKA_ID), certificate }] : [];
      }),
    /** Private objects are visible only after the login. */
    hasKey: (id: Buffer): boolean => keyOf(id) !== undefined,
    async sign(id: Buffer, mechanism: number, data: Buffer, pin: string): Promise<Buffer> {
      const key = keyOf(id);
      if (!key) throw new KeyUnusable('The token holds the certificate and not its key.');
      const wantsPin = wantsPinEachTime(key);
      calls.C_SignInit(handle, { mechanism }, key);
      if (wantsPin) calls.C_Login(handle, ck.CKU_CONTEXT_SPECIFIC, pin);
      // Outside the event loop: a slow card does not delay the polls.
      return calls.C_SignAsync(handle, data, Buffer.alloc(MAX_SIGNATURE_BYTES));
    },
  };
}

function parseOrSkip(der: Buffer): Certificate | undefined {
  return unlessThrown(CertificateMalformed, () => parseCertificate(der));
}

/** Translates a token's error to one of a key store. */
export function toStoreError({ constants: ck }: Module, error: unknown): unknown {
  const code = ckr(error);
  if (code === undefined) return error;
  const rejected: number[] = [
    ck.CKR_PIN_INCORRECT,
    ck.CKR_PIN_INVALID,
    ck.CKR_PIN_LEN_RANGE,
    ck.CKR_PIN_LOCKED,
  ];
  if (rejected.includes(code)) return new PinRejected('The token does not accept its PIN in use any more.');
  return new KeyUnusable(`The token does not sign: ${(error as Error).message}.`);
}
