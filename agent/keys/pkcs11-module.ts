import { createRequire } from 'node:module';
import type * as pkcs11js from 'pkcs11js';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';

/** PKCS#11 as the package has it: the calls by their standard names, and the constants. */
export type Pkcs11 = typeof pkcs11js;
export type Token = { readonly slot: Buffer; readonly slotId: number; readonly info: pkcs11js.TokenInfo };

/** An error's CKR_ number, or nothing where it is none of PKCS#11's. */
export const ckr = (error: unknown): number | undefined => {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'Pkcs11Error' && typeof code === 'number' ? code : undefined;
};

/** The package, which is native code and optional: an agent with a PKCS#12 file works without it. */
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

/** One vendor's module, loaded and initialized. @example const module = openModule('/usr/lib/softhsm/libsofthsm2.so') */
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
    /** Those that hold something: a blank one has no label, no PIN and no keys. */
    tokens: (): Token[] =>
      calls
        .C_GetSlotList(true)
        .map((slot) => ({
          slot,
          slotId: slot.readUIntLE(0, Math.min(6, slot.length)),
          info: calls.C_GetTokenInfo(slot),
        }))
        .filter(({ info }) => info.flags & constants.CKF_TOKEN_INITIALIZED),
    /** Some modules see a token that was put in or out only after this. */
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

/** Which token is meant. */
export type TokenChoice = { readonly slot?: number; readonly label?: string };

export const labelOf = ({ info }: Token): string => info.label.trim();
export const serialOf = ({ info }: Token): string =>
  [info.manufacturerID, info.model, info.serialNumber].map((text) => text.trim()).join('|');

/** The token that is meant, looked for each time: slots change when it is taken out and put back. */
export function chosenToken({ tokens }: Module, { slot, label }: TokenChoice): Token | undefined {
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
