import { createHash, randomUUID } from 'node:crypto';
import { count } from '../../../shared/metrics/count.ts';
import { keyedItems } from '../../../shared/store/keyed-items.ts';
import type { ItemWrite } from '../../../shared/store/write.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** An attempt that may compare its PIN now. Its owner reports whether the PIN was wrong. */
export type PinAttempt = {
  end(isWrong: boolean): Promise<void>;
  /** The end of an attempt with the right PIN, for the commit of its session. */
  ending(): ItemWrite;
};

// Longer than the function, which waits for the holder. An attempt that is open for longer was cut off.
const MAX_OPEN_MS = 120_000;
// The newest ones decide when the lockout ends. Older ones may go: every refused caller adds one.
const MAX_FAILED = 100;
// Names in one expression. Later attempts drop the others.
const MAX_DROPPED = 150;
// After the window, for clocks that differ.
const KEPT_SECONDS = 3_600;

type Attempts = {
  readonly [name: `open:${string}` | `failed:${string}`]: number | undefined;
  readonly ttl?: number;
};

const attempts = keyedItems<Attempts, string>({
  service: 'session',
  // A hash, so that the key does not say whose PIN was tried.
  key: (cpf) => ({
    pk: `PIN#${createHash('sha256').update(`pin:${cpf}`).digest('base64url')}`,
    sk: 'ATTEMPTS',
  }),
});

// One item for a CPF, with an attribute for each attempt, so that no write undoes another:
//
//   begin   open:a = now      counts from here on, whatever becomes of its function
//   wrong   failed:a = now    in the place of open:a
//   right                     open:a is taken back in the commit of the session
//
// Brute force from many connections at once: the item takes one write after the other, so with a limit of five the sixth
// caller finds five before it. No more PINs are compared than may fail, and nobody waits: who finds too many that are
// still open is busy, and has not tried its PIN.

// The code has a pause as its remedy, and this is no lockout: the PIN was not compared, and nothing is counted.
const alreadyCompared = (max: number): string =>
  `${max} PINs of this CPF are being compared or have failed, which is as many as may fail; this one was not compared`;

/**
 * Begins an attempt under the lockout of a CPF, across every key. An attempt that the lockout refuses counts as failed
 * too, so that retrying prolongs it; its PIN is not compared.
 */
export async function beginAttempt(cpf: string, now: () => number): Promise<PinAttempt> {
  const [id, nowMs, maxFailures] = [randomUUID(), now(), settings['Sessions:MaxPinFailures']];
  const found = await attempts.patch(cpf, { [`open:${id}`]: nowMs, ttl: ttlOf(nowMs) });
  const { failed, open, dropped } = countAttempts(found, id, nowMs);

  const takingBack = { ...dropped, [`open:${id}`]: undefined };
  const fail = (atMs: number) =>
    attempts.patch(cpf, { ...takingBack, [`failed:${id}`]: atMs, ttl: ttlOf(atMs) });
  if (failed >= maxFailures) {
    await fail(nowMs);
    throw errors.refuse('TOO_MANY_PIN_ATTEMPTS');
  }
  if (failed + open >= maxFailures) {
    await attempts.patch(cpf, takingBack);
    throw errors.refuse('SERVER_BUSY', { reason: alreadyCompared(maxFailures) });
  }
  return {
    async end(isWrong) {
      if (!isWrong) return void (await attempts.patch(cpf, takingBack));
      const after = countAttempts(await fail(now()), '', now());
      // The item takes one write after the other: one of them finds that it was the last of those allowed.
      if (after.failed === maxFailures) count('PinLockouts', { Service: 'session' });
    },
    ending: () => attempts.patching(cpf, takingBack),
  };
}

const windowMs = (): number => settings['Sessions:PinFailureWindow'] * 1000;
const ttlOf = (nowMs: number): number => Math.ceil((nowMs + windowMs()) / 1000) + KEPT_SECONDS;

type Found = {
  readonly failed: number;
  readonly open: number;
  /** The attributes that decide nothing any more, to be removed. */
  readonly dropped: Readonly<Record<string, undefined>>;
};

/** The attempts that count, without this one. */
function countAttempts(item: Attempts, id: string, nowMs: number): Found {
  const all = Object.entries(item)
    .filter(([name]) => /^(open|failed):/.test(name) && name !== `open:${id}`)
    .map(([name, atMs]) => ({ name, atMs: Number(atMs), isOpen: name.startsWith('open:') }))
    .toSorted((a, b) => b.atMs - a.atMs);
  const counted = all.filter(({ atMs }) => atMs > nowMs - windowMs());
  const isStillOpen = ({ isOpen, atMs }: (typeof all)[number]) => isOpen && atMs > nowMs - MAX_OPEN_MS;
  const open = counted.filter(isStillOpen);
  const failed = counted.filter((attempt) => !isStillOpen(attempt));
  const kept = new Set([...open, ...failed.slice(0, MAX_FAILED)]);
  const old = all.filter((attempt) => !kept.has(attempt)).slice(0, MAX_DROPPED);
  return {
    failed: failed.length,
    open: open.length,
    dropped: Object.fromEntries(old.map(({ name }) => [name, undefined])),
  };
}
