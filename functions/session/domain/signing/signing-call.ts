import type { Certificate } from '../../../../shared/pki/certificate.ts';
import { settings } from '../../settings.ts';
import type { HashSigner } from './key-of-session.ts';
import type { Signer } from './platform.ts';

/** What all documents of one call share. */
export type SigningCall = {
  readonly certificate: Certificate;
  readonly signer: Signer;
  readonly key: HashSigner;
  /** Told once the key has signed for this call. */
  readonly keyUsed: () => void;
  /** Told once a document of this call is at the signature service. */
  readonly accepted: () => void;
  readonly deadlineAtMs: number;
};

// What answering takes, beside looking for a document and canceling it.
const ANSWER_MS = 4_000;

/** When a call must be over: its budget, and a moment before the host ends it. */
export function deadlineOf(hostDeadlineAtMs: number, nowMs = Date.now()): number {
  const cleanUpMs = 2 * settings['Signing:SignerCancelBudget'] * 1000;
  const lastMs = hostDeadlineAtMs - cleanUpMs - ANSWER_MS;
  return Math.min(nowMs + settings['Signing:RequestBudget'] * 1000, lastMs);
}

// A timer may fire a little before its moment, and whoever waited for it has waited long enough.
const SLACK_MS = 50;

export const isOver = (deadlineAtMs: number): boolean => Date.now() >= deadlineAtMs - SLACK_MS;
