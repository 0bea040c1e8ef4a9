import { addressOf } from '../../../profiles/domain/approvers.ts';
import type { Approval } from '../../../profiles/domain/profile.ts';

export type Approver = Approval['approvers'][number];

/** How somebody was known when they decided. */
export type IdentificationMethod = 'SelfDeclaredEmail' | 'LinkDerivedEmail' | 'EntraIdEmail';

export const DECISIONS = ['approved', 'rejected'] as const;
export type Verdict = (typeof DECISIONS)[number];

/** The decision of one person. It is final. */
export type Decision = {
  readonly approver: Approver;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly method: IdentificationMethod;
  /** Whether the person signed the content with a certificate of theirs. */
  readonly isSigned: boolean;
  /** The content that was decided on. */
  readonly contentSha256: string;
  readonly decidedAtMs: number;
  readonly ipAddress: string;
  readonly userAgent: string;
};

/** What binds the index of a job's payments, which is beside its staged copy, to the job. */
export type PaymentsIndex = {
  readonly headBytes: number;
  /** Of the head, which has the hashes of the pages. In base64url. */
  readonly headSha256: string;
  /** Of the staged copy when it was indexed: a copy that was rewritten has another. */
  readonly stagedEtag: string;
};

/** The rule of a parked job as it was when the job was parked: later edits of the profile do not change it. */
export type JobApproval = {
  readonly quorum: number;
  readonly signerSet: Approval['signerSet'];
  readonly approvers: readonly Approver[];
  readonly contentSha256: string;
  /** Without one, pages of the portal read the staged copy. */
  readonly paymentsIndex?: PaymentsIndex;
  readonly parkedAtMs: number;
  readonly expiresAfterSeconds: number | null;
  readonly decisions: readonly Decision[];
};

/** The member of the pool with this address. */
export function approverOf({ approvers }: JobApproval, email: string): Approver | undefined {
  const address = addressOf(email);
  return approvers.find((approver) => addressOf(approver.email) === address);
}

/** The decision of somebody; undefined until they decide. */
export function decisionOf({ decisions }: JobApproval, email: string): Decision | undefined {
  const address = addressOf(email);
  return decisions.find(({ approver }) => addressOf(approver.email) === address);
}

/** When a parked job expires, by the wall clock. Null where it waits forever. */
export const expiryOf = ({ parkedAtMs, expiresAfterSeconds }: JobApproval): number | null =>
  expiresAfterSeconds === null ? null : parkedAtMs + expiresAfterSeconds * 1_000;

/** Whether its window has passed, whoever has noticed. */
export function isExpired(approval: JobApproval, nowMs: number): boolean {
  const expiresAtMs = expiryOf(approval);
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** When it expires, in ISO 8601. */
export function expiresAt(approval: JobApproval): string | null {
  const ms = expiryOf(approval);
  return ms === null ? null : new Date(ms).toISOString();
}

/** How the decisions stand. */
export function tallyOf({ quorum, decisions }: JobApproval) {
  const approved = decisions.filter(({ verdict }) => verdict === 'approved').length;
  const rejected = decisions.length - approved;
  return {
    required: quorum,
    approved,
    rejected,
    outstanding: Math.max(0, quorum - approved),
    quorumReached: approved >= quorum,
    vetoed: rejected > 0,
  };
}

/** The approvals of a job as its details show them. */
export function summarizeApproval(approval: JobApproval) {
  const parkedSince = new Date(approval.parkedAtMs).toISOString();
  return {
    ...tallyOf(approval),
    poolSize: approval.approvers.length,
    frozenAt: parkedSince,
    parkedSince,
    expiresAt: expiresAt(approval),
    expiresAfterSeconds: approval.expiresAfterSeconds,
  };
}
