import type { KeyStore, PresentResult } from './keys/key-store.ts';
import { serialQueue } from './serial-queue.ts';

/** Consecutive rejections after which no PIN is tried for a while: most tokens lock at the next. */
const MAX_REJECTIONS = 3;

export type Times = { readonly idleMs: number; readonly restMs: number };

export const DEFAULT_TIMES: Times = { idleMs: 8 * 3_600_000, restMs: 5 * 60_000 };

export type TypeResult = PresentResult | { readonly kind: 'resting'; readonly untilMs: number };

export type PinKeeper = ReturnType<typeof pinKeeper>;

/**
 * Keeps the PIN in use: one that the holder typed and the token accepted. It is in memory only, until it is idle.
 * @example const keeper = pinKeeper(store, DEFAULT_TIMES); await keeper.type(pin); keeper.inUse()
 */
export function pinKeeper(store: KeyStore, { idleMs, restMs }: Times, now: () => number = Date.now) {
  let held: { readonly pin: string; usedAtMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let rejections = 0;
  let restsUntilMs = 0;
  const inTurn = serialQueue();
  const listeners = new Set<() => void>();

  const hold = (next: typeof held): void => {
    const isChanged = (held === undefined) !== (next === undefined);
    held = next;
    if (isChanged) for (const listener of listeners) listener();
  };

  const forget = (): void => {
    clearTimeout(timer);
    hold(undefined);
    store.lock();
  };
  const countRejection = (): void => {
    rejections += 1;
    if (rejections < MAX_REJECTIONS) return;
    rejections = 0;
    restsUntilMs = now() + restMs;
  };

  return {
    forget,
    /** The listener is called when a PIN comes into use, and when none is any more. */
    onChange(listener: () => void): void {
      listeners.add(listener);
    },
    /** When the holder may try again; undefined: now. */
    restsUntilMs: (): number | undefined => (restsUntilMs > now() ? restsUntilMs : undefined),

    /** The PIN in use, if there is one. Reading it does not reset the idle time: `markUsed` does. */
    inUse(): string | undefined {
      // Timers stand still while the machine sleeps.
      if (held && now() - held.usedAtMs >= idleMs) forget();
      return held?.pin;
    },
    markUsed(): void {
      if (held) held.usedAtMs = now();
      timer?.refresh();
    },

    /** Presents what the holder typed to the token. An accepted PIN is in use from then on. */
    type: (pin: string): Promise<TypeResult> =>
      inTurn(async () => {
        if (restsUntilMs > now()) return { kind: 'resting', untilMs: restsUntilMs };
        const presented = await store.present(pin);
        if (presented.kind === 'rejected') countRejection();
        if (presented.kind !== 'accepted') return presented;
        rejections = 0;
        clearTimeout(timer);
        hold({ pin, usedAtMs: now() });
        timer = setTimeout(forget, idleMs).unref();
        return presented;
      }),

    /** The token rejected the PIN in use, because it was changed elsewhere. It is not tried again. */
    markRejected(): void {
      countRejection();
      forget();
    },
  };
}
