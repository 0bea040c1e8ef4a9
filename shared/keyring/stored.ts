import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { processWide } from '../async/process-wide.ts';
import { Unavailable } from '../errors/errors.ts';
import { commonSettings } from '../settings/common.ts';
import type { RingKey } from '../settings/keyring.ts';
import { ageMs, freshen, maxAgeMs } from '../settings/named-values.ts';
import { MANUAL } from '../settings/settings.ts';
import { keyIdOf, openUnder, type Sealed, sealUnder } from './envelope.ts';
import { VERSION } from './seal.ts';

// A process with an older ring, when the ring gets a new key:
//
//   process 1   reads the ring again: seals with the new key
//   process 2   knows the older ring      meets a value of the new key: reads the ring again, opens it
//
//   process 3   cannot read the ring      seals with the older key until its ring is maxRingAgeMs old, and then not at all
//
// So a key that was added seals everything after that time, whatever fails. No request reads the ring otherwise.

export type { Sealed } from './envelope.ts';

/** What opening a value gives: the value, or why it does not open, which completes "… does not open: ". */
export type Opened<T = string> = { readonly plain: T } | { readonly problem: string };

/** Where the ring is, as it is set. */
export const ringSource = (): string | undefined => commonSettings[MANUAL].given('Sealing:Keys');

/** How old a ring may be that seals. It is read again at half of it: one reading may fail. */
export const maxRingAgeMs = (source = ringSource()): number => 2 * maxAgeMs(source);

// A reading that was under way already may have begun before the key was there, or before the function was frozen.
const READINGS = 2;

async function newestKey(): Promise<RingKey> {
  const source = ringSource();
  for (let reading = 0; reading < READINGS && ageMs(source) > maxAgeMs(source); reading++)
    await freshen(source, maxAgeMs(source));
  const age = ageMs(source);
  if (age > maxRingAgeMs(source))
    throw new Unavailable(
      `Nothing is sealed: the ring of Sealing:Keys was last read from ${source} ${Math.floor(age / 1000)} s ago, and a key may have been added since. Have this process reach that place again.`,
    );
  const [newest] = commonSettings['Sealing:Keys'];
  if (newest) return newest;
  throw new Error(
    'Setting Sealing:Keys (Sealing__Keys) is not set: the secrets in the store are sealed with it. Give the ring that the stage has, or make one: npm run admin -- keys create --to PLACE.',
  );
}

// Values of a key that is gone for good must not have every request read the ring.
const LOOK_AGAIN_AFTER_MS = 5_000;
const missing = processWide('keyring.missing', () => new Map<string, number>());

async function keyById(id: string, nowMs = Date.now()): Promise<RingKey | undefined> {
  const find = (): RingKey | undefined => commonSettings['Sealing:Keys'].find((key) => key.id === id);
  const isMissing = nowMs - (missing.get(id) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_AFTER_MS;
  for (let reading = 0; reading < READINGS && !isMissing && !find(); reading++)
    await freshen(ringSource(), Number.NEGATIVE_INFINITY);
  const found = find();
  if (found) missing.delete(id);
  else if (!isMissing) missing.set(id, nowMs);
  return found;
}

const unknownKey = (id: string): string =>
  `it is sealed with the key ${id}, which Sealing:Keys does not have. Put the line of that key back into it, from a copy of the ring.`;

const CHANGED = 'it was changed in the store, or sealed for another record.';

/**
 * Seals a value that the service itself opens later, with the newest key of Sealing:Keys.
 * @example const sealedSecret = await sealStored({ about: JSON.stringify(['batch share', name]) }, secret);
 */
export const sealStored = async (sealed: Sealed, plain: string | Uint8Array): Promise<string> =>
  sealUnder(await newestKey(), sealed, plain);

/** Opens it, as bytes. */
export async function openStoredBytes(sealed: Sealed, text: string): Promise<Opened<Buffer>> {
  const id = keyIdOf(text);
  if (id === undefined) return { problem: CHANGED };
  const key = await keyById(id);
  if (!key) return { problem: unknownKey(id) };
  const plain = openUnder(key, sealed, text);
  return plain ? { plain } : { problem: CHANGED };
}

/**
 * Opens it.
 * @example const opened = await openStored({ about: JSON.stringify(['batch share', name]) }, share.sealedSecret);
 *          if ('problem' in opened) throw new ShareUnusable(`The secret of ${name} does not open: ${opened.problem}`);
 */
export async function openStored(sealed: Sealed, text: string): Promise<Opened> {
  const opened = await openStoredBytes(sealed, text);
  return 'plain' in opened ? { plain: opened.plain.toString('utf8') } : opened;
}

/** The value, or an Error. @example plainOf(`The key of agent ${id}`, await openStored(sealed, text)) */
export function plainOf<T>(name: string, opened: Opened<T>): T {
  if ('plain' in opened) return opened.plain;
  throw new Error(`${name} does not open: ${opened.problem}`);
}

const MAC_KEY_BYTES = 32;
const MAC = new RegExp(`^${VERSION}\\.([^.]+)\\.([\\w-]{43})$`);

/** The HMAC of a text, by a key of its own that is derived from this key of the ring, and named in it. */
export const authenticateBy = ({ id, key }: RingKey, about: string, text: string): string => {
  const macKey = Buffer.from(hkdfSync('sha256', key, '', `hmac: ${about}`, MAC_KEY_BYTES));
  return `${VERSION}.${id}.${createHmac('sha256', macKey).update(text).digest('base64url')}`;
};

/** The same by the newest key of Sealing:Keys. */
export const authenticate = async (about: string, text: string): Promise<string> =>
  authenticateBy(await newestKey(), about, text);

/** Why a text is not the one that was authenticated; undefined if it is. */
export async function whyNotAuthentic(about: string, text: string, mac: string): Promise<string | undefined> {
  const id = keyIdOfMac(mac);
  const key = id === undefined ? undefined : await keyById(id);
  if (id !== undefined && !key) return unknownKey(id);
  if (!key) return CHANGED;
  const [given, right] = [Buffer.from(mac), Buffer.from(authenticateBy(key, about, text))];
  return given.length === right.length && timingSafeEqual(given, right) ? undefined : CHANGED;
}

/** The id of the key that an HMAC names. */
export const keyIdOfMac = (mac: string): string | undefined => MAC.exec(mac)?.[1];
