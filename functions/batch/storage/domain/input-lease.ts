import * as z from 'zod';
import { renewRegularly } from '../../../../shared/async/renew-regularly.ts';
import { BadKey, FileExists } from '../../../../shared/files/errors.ts';
import type { Files } from '../../../../shared/files/files.ts';
import { bucketName } from '../../../../shared/settings/names.ts';
import { readClaim, writeClaim } from './claim-file.ts';

// Whoever holds a file says so in an object beside it, <name>.lease, with its name and the time until when. The service
// does so while it stages an input and while it deletes one, and never while a job waits:
//
//   other    |--report.pdf.lease, until 10:05--writes report.pdf--removes the lease--|
//   service        |--staging: the lease is another's: job.input-held, nothing is signed
//
// Workers of this service exclude each other in its table. A lease of this service that a killed worker left behind is
// replaced; another's is honored until its time, and not removed before.

export const LEASE_SUFFIX = '.lease';

const Lease = z.object({ holder: z.string(), until: z.iso.datetime({ offset: true }) });

/** One installation, whatever instances it has. */
const ownHolder = (): string => `sinete ${bucketName('batch')}`;

/** Another process holds the input. */
export class InputHeld extends Error {
  override readonly name = 'InputHeld';
  /** When the lease ends. Undefined for one that cannot be read: it stands until it is removed. */
  readonly untilMs: number | undefined;

  constructor(key: string, lease: z.infer<typeof Lease> | undefined) {
    super(
      lease
        ? `${lease.holder} holds ${key} until ${lease.until}. Wait for it, then retry.`
        : `${key}${LEASE_SUFFIX} is no lease that can be read. Remove it or correct it, then retry.`,
    );
    this.untilMs = lease && Date.parse(lease.until);
  }
}

const LEASE_MS = 120_000;
const RENEW_EVERY_MS = 40_000;

/**
 * Holds an input while the work goes on. Throws InputHeld while another process does. A file of the same store that is not
 * needed after the work, `spent`, is removed with the lease, in one call.
 */
export async function whileInputHeld<T>(
  store: Files,
  key: string,
  work: () => Promise<T>,
  now: () => number,
  spent?: string,
): Promise<T> {
  let untilMs = await takeLease(store, key, now);
  const stop = renewRegularly(RENEW_EVERY_MS, async () => {
    // After its time another process may have put its own in the place of this one.
    if (now() < untilMs) untilMs = await writeLease(store, key, now);
  });
  const doomed: string[] = [];
  try {
    const result = await work();
    if (spent !== undefined) doomed.push(spent);
    return result;
  } finally {
    await stop();
    if (now() < untilMs) doomed.push(leaseKeyOf(key));
    await removeAll(store, doomed, spent);
  }
}

/** The work is done whether or not the lease is removed, which ends by itself. What is spent must go. */
async function removeAll(store: Files, keys: readonly string[], spent: string | undefined): Promise<void> {
  const [only, ...others] = keys;
  if (only !== undefined && others.length === 0)
    return store.remove(only).catch((error: unknown) => (only === spent ? Promise.reject(error) : undefined));
  const { failed } = await store.removeMany(keys.map((key) => ({ key })));
  if (spent !== undefined && failed.has(spent)) throw failed.get(spent);
}

/** Whether the store takes the key of an input, and that of its lease, which is longer. */
export function isUsableInput(store: Files, key: string): boolean {
  try {
    store.requireKey(leaseKeyOf(key));
    return true;
  } catch (error) {
    if (error instanceof BadKey) return false;
    throw error;
  }
}

const leaseKeyOf = (key: string): string => `${key}${LEASE_SUFFIX}`;

// Two processes that come at once:
//
//   other    |--no lease--|--puts its own, only if there is none--|
//   service    |--no lease--------------------------------------------|--puts its own: refused; looks again: held
//
// Where the store honors If-None-Match, the first look is spared: the put is refused where there is a lease. A store that
// ignores it lets the second one replace the first; there the race is the time between the two.
const MAX_ATTEMPTS = 3;

/** Answers until when. */
async function takeLease(store: Files, key: string, now: () => number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    if (attempt > 1 || store.mayIgnoreConditions) await removeEnded(store, key, now());
    try {
      return await writeLease(store, key, now, { onlyIfAbsent: true });
    } catch (error) {
      if (!(error instanceof FileExists) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function writeLease(
  store: Files,
  key: string,
  now: () => number,
  options: { readonly onlyIfAbsent?: boolean } = {},
): Promise<number> {
  const untilMs = now() + LEASE_MS;
  const lease = { holder: ownHolder(), until: new Date(untilMs).toISOString() };
  await writeClaim(store, leaseKeyOf(key), lease, options);
  return untilMs;
}

/** Removes a lease whose time has passed, or that a killed worker of this service left. Throws InputHeld for others. */
async function removeEnded(store: Files, key: string, nowMs: number): Promise<void> {
  const found = await readClaim(store, leaseKeyOf(key), Lease);
  if (!found) return;
  const { claim: lease, remove } = found;
  const isOwn = lease?.holder === ownHolder();
  if (!lease || (!isOwn && Date.parse(lease.until) > nowMs)) throw new InputHeld(key, lease);
  await remove();
}

/** Removes the lease that a killed worker of this service left. */
export async function removeOwnLease(store: Files, key: string): Promise<void> {
  const found = await readClaim(store, leaseKeyOf(key), Lease);
  if (found?.claim?.holder === ownHolder()) await found.remove();
}
