import type { Logger } from '../../../../shared/log/logger.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { settings } from '../../settings.ts';
import type { Actor, DocumentOutcome } from '../audit.ts';
import type { Signer } from './platform.ts';

/** The key that a session is bound to, in the vault or at a workstation. */
export type SessionKey = {
  /** Signs a SHA-256 hash. */
  readonly sign: (hash: Buffer, deadlineAtMs: number) => Promise<Buffer>;
  /** Refuses once an earlier document of the call has found that the key cannot be used. */
  readonly refuseIfLost: () => void;
};

/** What all documents of one call share. */
export type SigningCall = {
  readonly actor: Actor;
  /** Every line carries the call's correlation id. */
  readonly log: Logger;
  /** For the audit trail: how a document that reached the signature service ended. */
  readonly note: (document: DocumentOutcome) => void;
  readonly certificate: Certificate;
  readonly signer: Signer;
  readonly key: SessionKey;
  /** Told once the key has signed for this call. */
  readonly keyUsed: () => void;
  /** Told once a document of this call is at the signature service. */
  readonly accepted: () => void;
  readonly deadlineAtMs: number;
};

// What answering takes, beside looking for a document and canceling it.
const ANSWER_MS = 4_000;

/** When a call must be over: its budget, and a moment before the host ends it. */
export function deadlineOf(startedAtMs: number, hostDeadlineAtMs: number): number {
  const cleanUpMs = 2 * settings['Signing:SignerCancelBudget'] * 1000;
  const lastMs = hostDeadlineAtMs - cleanUpMs - ANSWER_MS;
  return Math.min(startedAtMs + settings['Signing:RequestBudget'] * 1000, lastMs);
}

// A timer may fire a little before its moment, and whoever waited for it has waited long enough.
const SLACK_MS = 50;

export const isOver = (deadlineAtMs: number): boolean => Date.now() >= deadlineAtMs - SLACK_MS;
