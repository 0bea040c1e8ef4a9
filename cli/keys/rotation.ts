import { AdminRefusal } from '../../shared/access/administration.ts';
import { ifThrown } from '../../shared/errors/expected.ts';
import { maxRingAgeMs } from '../../shared/keyring/stored.ts';
import { newRingKey, type Ring, type RingKey } from '../../shared/settings/keyring.ts';
import { SERVICES, type ServiceName } from '../../shared/settings/names.ts';
import { collection, type Stored } from '../../shared/store/collection.ts';
import type { Attributes } from '../../shared/store/item.ts';
import { claim, type Leased, released, withLease } from '../../shared/store/lease.ts';
import { AlreadyExists, RaceLost } from '../../shared/store/refusals.ts';
import { NotWritable, type Place } from './place.ts';
import { pagesOf, rewrapItems } from './sweep.ts';

// A rotation, and what a killed one leaves to the next command:
//
//   the ring gets a key      settled: the key before. The next command sees that the newest is another one, and goes on
//   it is noted              newest: the key before. The next command notes it, and waits from then on
//   all processes read it    newestSinceMs: the wait ends at the same moment
//   each table is swept      SWEEP of the table: its position
//   backups are rewritten    what they name: each is looked at again
//   settled: the new key     nothing. The next command begins another rotation

/** What is known of the ring, in the table of one service. */
type RingRecord = Leased & {
  /** The key that every value has named since the last rotation ended, or when the first one began. */
  readonly settled: string;
  /** The newest key of the ring, and a moment at which the ring had it. */
  readonly newest: string;
  readonly newestSinceMs: number;
  readonly settledAtMs?: number;
};

/** How far a table is swept. */
export type SweepRecord = {
  readonly keyId: string;
  readonly position?: Attributes;
  readonly looked: number;
  readonly rewrapped: number;
  /** Values by the id of a key that the ring does not have, or that does not open them. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly endedAtMs?: number;
};

const PK = 'SEALING-KEYS';

const ringRecords = (service: ServiceName) =>
  collection<RingRecord, null>({
    service,
    name: 'ring of sealing keys',
    id: () => null,
    key: () => ({ pk: PK, sk: 'RING' }),
  });

const sweepRecords = (service: ServiceName) =>
  collection<SweepRecord, null>({
    service,
    name: 'sweep of sealed values',
    id: () => null,
    key: () => ({ pk: PK, sk: 'SWEEP' }),
  });

/** The services of this stage, by their tables. */
export async function deployedServices(): Promise<ServiceName[]> {
  const found: ServiceName[] = [];
  for (const service of SERVICES) {
    const isThere = await ringRecords(service)
      .get(null)
      .then(
        () => true,
        (error: Error) => {
          if (error.name === 'ResourceNotFoundException') return false;
          throw error;
        },
      );
    if (isThere) found.push(service);
  }
  if (found.length === 0) throw new AdminRefusal('The stage has no tables. Deploy it, or start it, first.');
  return found;
}

/** Of the first service: whoever rotates the ring of a stage finds the same. */
export const readRingRecord = ([first = 'session']: readonly ServiceName[]) => ringRecords(first).get(null);

export const readSweep = (service: ServiceName) => sweepRecords(service).get(null);

/** How a command speaks and waits. */
export type Deps = {
  readonly say: (line: string) => void;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

// The ring is read and written meanwhile, and nothing else.
const LEASE_MS = 15_000;
const ASK_AGAIN_MS = 500;

/** The record of the ring, for this command alone. One that was killed with it is waited for. */
async function claimRing(service: ServiceName, ring: Ring, { now, wait }: Deps): Promise<Stored<RingRecord>> {
  const records = ringRecords(service);
  const newest = ring[0]?.id ?? '';
  for (const untilMs = now() + LEASE_MS + ASK_AGAIN_MS; now() <= untilMs; await wait(ASK_AGAIN_MS)) {
    const current = await records.get(null);
    const held = current
      ? await claim(records, current, { leaseMs: LEASE_MS, now }).catch(ifThrown(RaceLost, undefined))
      : undefined;
    if (held) return held;
    if (!current)
      await records
        .create({ settled: newest, newest, newestSinceMs: now() })
        .catch(ifThrown(AlreadyExists, undefined));
  }
  throw busy();
}

const busy = () =>
  new AdminRefusal('Another command is changing the ring. Run this one again when it has ended.');

/** Reads the ring while nobody else changes it. */
async function withRing<T>(
  [first = 'session']: readonly ServiceName[],
  place: Place,
  deps: Deps,
  work: (ring: Ring, held: Stored<RingRecord>) => Promise<T>,
): Promise<T> {
  const records = ringRecords(first);
  const held = await claimRing(first, await requireRing(place), deps);
  try {
    return await work(await requireRing(place), held);
  } catch (error) {
    throw error instanceof RaceLost ? busy() : error;
  } finally {
    const now = await records.get(null);
    if (now) await records.change(now, released, withLease(held)).catch(ifThrown(RaceLost, undefined));
  }
}

export type Rotation = { readonly to: RingKey; readonly ring: Ring; readonly isNew: boolean };

/** Adds a key to the ring, or finds the rotation that was not ended. */
export const beginRotation = (
  services: readonly ServiceName[],
  place: Place,
  deps: Deps,
): Promise<Rotation> =>
  withRing(services, place, deps, async (ring, held) => {
    const [newest] = ring;
    if (newest && newest.id !== held.settled) {
      if (newest.id !== held.newest) await note(services, held, newest.id, deps.now());
      return { to: newest, ring, isNew: false };
    }
    const added = newRingKey(deps.now());
    const next = [added, ...ring];
    // A command that has lost its lease while it read the ring does not write it.
    await note(services, held, held.newest, held.newestSinceMs);
    await writeRing(place, next);
    // After the write, which may take long: until it is done processes read the ring without the key.
    await note(services, held, added.id, deps.now());
    return { to: added, ring: next, isNew: true };
  });

const note = (
  [first = 'session']: readonly ServiceName[],
  held: Stored<RingRecord>,
  id: string,
  nowMs: number,
) => ringRecords(first).change(held, { newest: id, newestSinceMs: nowMs }, withLease(held));

async function requireRing(place: Place): Promise<Ring> {
  const ring = await place.read();
  if (ring && ring.length > 0) return ring;
  throw new AdminRefusal(
    `There is no ring in ${place.name}. Make one: npm run admin -- keys create --to PLACE`,
  );
}

async function writeRing(place: Place, ring: Ring): Promise<void> {
  try {
    await place.write(ring);
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    throw new AdminRefusal(
      `The ring is in ${place.name}, which ${error.message}. Put a new key before the others yourself, as a line ID:KEY with KEY of openssl rand -base64 32, and run keys rotate again: it goes on with the newest key.`,
    );
  }
}

// A value may be sealed, and written a moment later.
const MARGIN_MS = 2_000;

/** Waits until a process has read the ring that has this key, or seals nothing. */
export async function awaitNewestKey(
  services: readonly ServiceName[],
  { say, now, wait }: Deps,
): Promise<void> {
  const { newestSinceMs = 0 } = (await readRingRecord(services)) ?? {};
  const leftMs = newestSinceMs + maxRingAgeMs() + MARGIN_MS - now();
  if (leftMs <= 0) return;
  say(`Waiting ${Math.ceil(leftMs / 1000)} s, until no process seals with an older key.`);
  await wait(leftMs);
}

/** Wraps every value of a table with the newest key, from where the last command was stopped. */
export async function sweepTable(
  service: ServiceName,
  { to, ring }: Rotation,
  { say, now }: Deps,
): Promise<SweepRecord> {
  const records = sweepRecords(service);
  const known = await records.get(null);
  let done: SweepRecord =
    known?.keyId === to.id ? known : { keyId: to.id, looked: 0, rewrapped: 0, unknown: {} };
  if (done.endedAtMs !== undefined) return done;
  if (done.position) say(`${service}: goes on after ${done.looked} items`);
  for await (const { items, end } of pagesOf(service, done.position)) {
    const page = await rewrapItems(service, items, ring, to);
    const unknown = { ...done.unknown };
    for (const [id, count] of Object.entries(page.unknown)) unknown[id] = (unknown[id] ?? 0) + count;
    done = {
      keyId: to.id,
      ...(end ? { position: end } : { endedAtMs: now() }),
      looked: done.looked + items.length,
      rewrapped: done.rewrapped + page.rewrapped,
      unknown,
    };
    await records.put(done);
    say(`${service}: ${done.looked} items looked at, ${done.rewrapped} values wrapped anew`);
  }
  return done;
}

/** The rotation has ended: the next one adds a key. */
export const settle = (
  services: readonly ServiceName[],
  place: Place,
  { to }: Rotation,
  deps: Deps,
): Promise<void> =>
  withRing(services, place, deps, async (_, held) => {
    const [first = 'session'] = services;
    await ringRecords(first).change(held, { settled: to.id, settledAtMs: deps.now() }, withLease(held));
  });

/** Refuses a key that seals, or may: the newest one, and any while a rotation is not ended. */
export const requireRetirable = (
  services: readonly ServiceName[],
  place: Place,
  id: string,
  deps: Deps,
): Promise<void> => withRing(services, place, deps, async (ring, held) => checkRetirable(ring, held, id));

/** Takes a key out of the ring. */
export const removeKey = (
  services: readonly ServiceName[],
  place: Place,
  id: string,
  deps: Deps,
): Promise<void> =>
  withRing(services, place, deps, async (ring, held) => {
    checkRetirable(ring, held, id);
    const rest = ring.filter((key) => key.id !== id);
    await place.write(rest).catch((error: unknown) => {
      if (!(error instanceof NotWritable)) throw error;
      throw new AdminRefusal(
        `Nothing names ${id} any more. The ring is in ${place.name}, which ${error.message}: take its line out yourself.`,
      );
    });
  });

function checkRetirable(ring: Ring, { settled }: RingRecord, id: string): void {
  const [newest] = ring;
  const refuse = (why: string): never => {
    throw new AdminRefusal(why);
  };
  if (!ring.some((key) => key.id === id))
    refuse(`The ring has no key ${id}. See: npm run admin -- keys list`);
  if (newest?.id === id)
    refuse(`${id} is the newest key, which seals. Rotate first: npm run admin -- keys rotate`);
  if (newest?.id !== settled)
    refuse('A rotation has not ended. Run it to its end first: npm run admin -- keys rotate');
}
