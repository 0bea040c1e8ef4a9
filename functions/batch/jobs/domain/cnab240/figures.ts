import type { Payment } from './payments.ts';

/** Lots whose trailer states another sum than that of their payments: how many there are, and the first. */
export type LotSumDifferences = {
  readonly count: number;
  readonly lot: string;
  /** Null where the field is no number. */
  readonly stated: string | null;
  readonly found: string;
};

/** What a remittance asks of the bank. Exclusions are counted; they are in no total and in no date. */
export type Cnab240Figures = {
  /** People see it; programs do not. */
  readonly lotSums?: LotSumDifferences | undefined;
  /** A number up to 2^53 - 1. Above it readers of JSON would round, and it is a string of digits. */
  readonly totalCentavos: number | string;
  /** @example 'R$ 1.234,56' */
  readonly totalFormatted: string;
  readonly paymentCount: number;
  readonly cancellationCount: number;
  /** ISO, or null if no payment has a date. */
  readonly earliestPaymentDate: string | null;
  readonly latestPaymentDate: string | null;
  /** Of the whole file, in lower-case hexadecimal. */
  readonly contentSha256: string;
};

/** Adds up payments. @example const tally = createTally(); tally.add(payment); tally.figures(sha256) */
export function createTally(): {
  add: (payment: Payment) => void;
  figures: (contentSha256: string) => Cnab240Figures;
} {
  let total = 0n;
  let paymentCount = 0;
  let cancellationCount = 0;
  let earliest: string | null = null;
  let latest: string | null = null;

  return {
    add: ({ included, centavos, date }) => {
      if (!included) {
        cancellationCount += 1;
        return;
      }
      paymentCount += 1;
      total += centavos;
      if (date === null) return;
      if (earliest === null || date < earliest) earliest = date;
      if (latest === null || date > latest) latest = date;
    },
    figures: (contentSha256) => ({
      totalCentavos: total <= Number.MAX_SAFE_INTEGER ? Number(total) : String(total),
      totalFormatted: formatReais(total),
      paymentCount,
      cancellationCount,
      earliestPaymentDate: earliest,
      latestPaymentDate: latest,
      contentSha256,
    }),
  };
}

/** @example formatReais(123_456n) // 'R$ 1.234,56' */
export function formatReais(centavos: bigint): string {
  const digits = String(centavos).padStart(3, '0');
  const reais = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `R$ ${reais},${digits.slice(-2)}`;
}
