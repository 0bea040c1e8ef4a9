const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

const isUnit = (word: string): word is Unit => word in UNIT_MS;

/**
 * The period of an AWS rate expression, in milliseconds, or undefined where AWS would refuse it.
 * @example ratePeriodMs('5 minutes') // 300000
 */
export function ratePeriodMs(text: string): number | undefined {
  const [, digits, word] = /^(\d+) ([a-z]+)$/.exec(text.trim()) ?? [];
  const count = Number(digits);
  if (word === undefined || !Number.isSafeInteger(count) || count < 1) return undefined;
  // AWS wants the grammar right: 1 minute, 5 minutes, and neither 1 minutes nor 5 minute.
  const unit = count === 1 ? word : word.replace(/s$/, '');
  if (!isUnit(unit) || (count > 1 && unit === word)) return undefined;
  return count * UNIT_MS[unit];
}

/**
 * The first time after `afterMs` that lies a whole number of periods from `anchorMs`.
 * @example nextOfRate(60_000, 0, 90_000) // 120000
 */
export function nextOfRate(periodMs: number, anchorMs: number, afterMs: number): number {
  const periodsPassed = Math.floor((afterMs - anchorMs) / periodMs);
  return anchorMs + Math.max(1, periodsPassed + 1) * periodMs;
}
