import { DerError, type Element } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import type { AlgorithmIdentifier } from '../certificate/certificate.ts';
import { type Bags, readBags } from './bags.ts';
import { type Budget, MAX_ROUNDS_WITHOUT_MAC, newBudget } from './budget.ts';
import { openerFor } from './ciphers.ts';
import { matchEntries, type Pkcs12 } from './entries.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from './errors.ts';
import { readingsByMac } from './mac.ts';
import { type PasswordReadings, passwordReadings } from './password.ts';
import { asBroken, readLayer, readPfx } from './pfx.ts';

/**
 * The keys and certificates of a PKCS#12 file (.p12, .pfx). Throws WrongPassword, BrokenPkcs12 or UnsupportedPkcs12.
 * @example const { entries: [entry] } = await openPkcs12(bytes, '1234'); entry?.privateKey
 */
export async function openPkcs12(bytes: Uint8Array, password: string | undefined): Promise<Pkcs12> {
  const { parts, mac } = readPfx(bytes);
  const passwords = passwordReadings(password);
  const budget = newBudget();
  try {
    const readings = mac ? await readingsByMac(mac, parts, passwords, budget) : passwords;
    const macIsRight = mac && readings !== undefined;
    const left = macIsRight === false ? newBudget(MAX_ROUNDS_WITHOUT_MAC) : budget;
    const bags = await readBags(parts, (algorithm, data) =>
      decrypt(algorithm, data, readings ?? passwords, left),
    ).catch((cause) => {
      const isSpent = cause instanceof UnsupportedPkcs12 && cause.reason === 'iterations';
      throw isSpent && macIsRight === false ? new WrongPassword() : cause;
    });
    judge(macIsRight, bags);
    return matchEntries(bags);
  } catch (cause) {
    throw asBroken(cause);
  }
}

// A wrong password opens nothing. Where one thing opens and another does not, the password is right and the file is damaged.
function judge(macIsRight: boolean | undefined, { opened, shut }: Bags): void {
  if (macIsRight === false && opened === 0) throw new WrongPassword();
  if (macIsRight === false) throw new BrokenPkcs12('the password is right, but its content was changed.');
  if (shut === 0) return;
  if (macIsRight === undefined && opened === 0) throw new WrongPassword();
  throw new BrokenPkcs12('the password is right, but a part of it does not decrypt.');
}

async function decrypt(
  algorithm: AlgorithmIdentifier,
  data: Buffer,
  passwords: PasswordReadings,
  budget: Budget,
): Promise<Element | undefined> {
  const { readings, open } = openerFor(algorithm, { passwords, budget });
  for (const reading of readings) {
    const plain = await open(reading, data);
    const layer = plain && readIfWhole(plain);
    if (layer) return layer;
  }
  return undefined;
}

// One wrong key in 256 leaves padding that looks right. What it uncovers is noise, and not one whole SEQUENCE.
function readIfWhole(plain: Buffer): Element | undefined {
  try {
    const layer = readLayer(plain);
    return layer.tag === TAG.SEQUENCE ? layer : undefined;
  } catch (cause) {
    if (cause instanceof DerError) return undefined;
    throw cause;
  } finally {
    plain.fill(0);
  }
}
