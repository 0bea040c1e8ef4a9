import { createRequire } from 'node:module';
import type * as pkcs11js from 'pkcs11js';
import { CommandRefusal, causeOf } from '../../../shared/command-line/reason.ts';

/** The package pkcs11js: the calls by their standard names, and the constants. */
export type Pkcs11 = typeof pkcs11js;
export type Token = { readonly slot: Buffer; readonly slotId: number; readonly info: pkcs11js.TokenInfo };

/** The CKR_ number of an error, or undefined where it is not of PKCS#11. */
export const ckr = (error: unknown): number | undefined => {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'Pkcs11Error' && typeof code === 'number' ? code : undefined;
};

/** Loads the package. It is native code and optional: an agent with a PKCS#12 file works without it. */
export function loadPkcs11(): Pkcs11 {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Pkcs11;
  } catch (cause) {
    throw new CommandRefusal(
      'Tokens need the package pkcs11js, which is not installed here: it is native code and was left out. Install a C++ compiler and Python, then run: npm install pkcs11js. A PKCS#12 file (--p12) needs neither.',
      { cause },
    );
  }
}

/** Loads and initializes one vendor's module. @example const module = openModule('/usr/lib/softhsm/libsofthsm2.so') */
export function openModule(path: string) {
  const constants = loadPkcs11();
  const calls = new constants.PKCS11();
  try {
    calls.load(path);
    calls.C_Initialize();
  } catch (error) {
    throw new CommandRefusal(`The PKCS#11 module ${path} cannot be loaded: ${causeOf(error)}`);
  }
  return {
    constants,
    calls,
    /** The initialized tokens: a blank one has no label, no PIN and no keys. */
    tokens: (): Token[] =>
      calls
        .C_GetSlotList(true)
        .map((slot) => ({
          slot,
          slotId: slot.readUIntLE(0, Math.min(6, slot.length)),
          info: calls.C_GetTokenInfo(slot),
        }))
        .filter(({ info }) => info.flags & constants.CKF_TOKEN_INITIALIZED),
    /** Some modules notice an inserted or removed token only after this. */
    restart(): void {
      calls.C_Finalize();
      calls.C_Initialize();
    },
    close(): void {
      calls.C_Finalize();
      calls.close();
    },
  };
}

export type Module = ReturnType<typeof openModule>;

/** The token to use, by slot or label. */
export type TokenChoice = { readonly slot?: number; readonly label?: string };

export const labelOf = ({ info }: Token): string => info.label.trim();
export const serialOf = ({ info }: Token): string =>
  [info.manufacturerID, info.model, info.serialNumber].map((text) => text.trim()).join('|');

/** Finds the token, each time anew: slots change when it is removed and inserted. */
export function findToken({ tokens }: Module, { slot, label }: TokenChoice): Token | undefined {
  const all = tokens();
  const matching = all.filter(
    (token) =>
      (slot === undefined || token.slotId === slot) && (label === undefined || labelOf(token) === label),
  );
  const [only, ...more] = matching;
  if (more.length === 0) return only;
  const listed = matching.map((token) => `"${labelOf(token)}" in slot ${token.slotId}`).join(', ');
  throw new CommandRefusal(`Several tokens are in: ${listed}. Name one with --token LABEL or --slot N.`);
}
