import { turns } from './in-turn.ts';
import type { KeyStore, Presented } from './keys/key-store.ts';

/** Consecutive rejections after which the holder has to rest: most tokens lock at the next. */
const REJECTIONS_BEFORE_REST = 3;

export type Times = { readonly idleMs: number; readonly restMs: number };

export const USUAL_TIMES: Times = { idleMs: 8 * 3_600_000, restMs: 5 * 60_000 };

export type Typed = Presented | { readonly kind: 'resting'; readonly untilMs: number };

export type PinKeeper = ReturnType<typeof pinKeeper>;

/**
 * The PIN in use: one that the holder typed and the token took. It is in memory only, and no longer than it is used.
 * @example const keeper = pinKeeper(store, USUAL_TIMES); await keeper.type(pin); keeper.inUse()
 */
export function pinKeeper(store: KeyStore, { idleMs, restMs }: Times, now: () => number = Date.now) {
  let held: { readonly pin: string; usedAtMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let rejections = 0;
  let restsUntilMs = 0;
  const inTurn = turns();
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
  const rejected = (): void => {
    rejections += 1;
    if (rejections < REJECTIONS_BEFORE_REST) return;
    rejections = 0;
    restsUntilMs = now() + restMs;
  };

  return {
    forget,
    /** Calls when a PIN comes into use, and when none is any more. */
    onChange(listener: () => void): void {
      listeners.add(listener);
    },
    /** When the holder may try again; undefined when that is now. */
    restsUntilMs: (): number | undefined => (restsUntilMs > now() ? restsUntilMs : undefined),

    /** The PIN in use, if there is one. Looking does not keep it: `used` does. */
    inUse(): string | undefined {
      // A machine that slept has timers that slept too.
      if (held && now() - held.usedAtMs >= idleMs) forget();
      return held?.pin;
    },
    used(): void {
      if (held) held.usedAtMs = now();
      timer?.refresh();
    },

    /** What the holder typed goes to the token, and is the PIN in use from when that takes it. */
    type: (pin: string): Promise<Typed> =>
      inTurn(async () => {
        if (restsUntilMs > now()) return { kind: 'resting', untilMs: restsUntilMs };
        const presented = await store.present(pin);
        if (presented.kind === 'rejected') rejected();
        if (presented.kind !== 'accepted') return presented;
        rejections = 0;
        clearTimeout(timer);
        hold({ pin, usedAtMs: now() });
        timer = setTimeout(forget, idleMs).unref();
        return presented;
      }),

    /** The token did not take the PIN in use: it was changed elsewhere. It is not tried again. */
    refusedInUse(): void {
      rejected();
      forget();
    },
  };
}
