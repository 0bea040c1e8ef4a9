import * as z from 'zod';
import type { Files } from '../../../../shared/files/files.ts';
import type { OpenFile } from '../../../../shared/files/get.ts';
import { bucketName } from '../../../../shared/settings/names.ts';

// Whoever holds a file says so in an object beside it, <name>.lease, with its name and the time until when. The service
// does so while it stages an input and while it deletes one, and never while a job waits:
//
//   other    |--report.pdf.lease, until 10:05--writes report.pdf--removes the lease--|
//   service        |--staging: the lease is another's: job.input-held, nothing is signed
//
// Workers of this service exclude each other in its table. A lease of this service that a killed worker left behind is
// replaced; another's is honored until its time, and never removed.

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
const MAX_LEASE_BYTES = 4_096;

/** Holds an input while the work goes on. Throws InputHeld while another process does. */
export async function whileInputHeld<T>(
  store: Files,
  key: string,
  work: () => Promise<T>,
  now: () => number,
): Promise<T> {
  const leaseKey = `${key}${LEASE_SUFFIX}`;
  await requireNotHeld(store, key, now());
  let untilMs = 0;
  const write = async (): Promise<void> => {
    const nextMs = now() + LEASE_MS;
    const content = { holder: ownHolder(), until: new Date(nextMs).toISOString() };
    await store.put(leaseKey, Buffer.from(JSON.stringify(content)), { contentType: 'application/json' });
    untilMs = nextMs;
  };
  await write();
  let renewal: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // A renewal that fails leaves the rest of the lease, in which the next one comes.
    renewal = write().catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
    // After its time another process may have put its own in the place of this one.
    if (now() < untilMs) await store.remove(leaseKey);
  }
}

async function requireNotHeld(store: Files, key: string, nowMs: number): Promise<void> {
  const found = await store.get(`${key}${LEASE_SUFFIX}`);
  if (!found) return;
  const lease = await readLease(found);
  if (lease?.holder === ownHolder()) return;
  if (!lease || Date.parse(lease.until) > nowMs) throw new InputHeld(key, lease);
}

async function readLease({ length, stream }: OpenFile): Promise<z.infer<typeof Lease> | undefined> {
  if (length > MAX_LEASE_BYTES) {
    stream.destroy();
    return undefined;
  }
  const text = Buffer.concat(await stream.toArray()).toString('utf8');
  try {
    return Lease.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
