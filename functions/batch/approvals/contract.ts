import * as z from 'zod';
import { Reason } from '../jobs/reason.ts';

const JOB_ID = '6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const ApprovalParams = z.object({
  id: z.string().meta({ description: 'The id of the job.', examples: [JOB_ID] }),
});

export const DecisionBody = z
  .object({
    email: z.string().describe("The approver's address, which must be in the job's pool."),
    // Another type is no decision that is known, and is refused as one.
    decision: z.string().default('approved').catch('').describe('`approved` or `rejected`.'),
    reason: Reason,
  })
  .meta({
    description: 'A decision on a job that waits for approval. It is final.',
    examples: [{ email: 'ana@sandbox.example', decision: 'approved' }],
  });

/** The form of the portal. Its problems are shown on the page. */
export const PortalDecisionForm = z.object({
  decision: z.string().default(''),
  reason: z.string().default(''),
  code: z.string().default(''),
});

export const Approved = z
  .object({
    jobId: z.uuid(),
    approverName: z.string(),
    approved: z.int(),
    required: z.int(),
    outstanding: z.int().describe('Approvals that are still missing.'),
    quorumMet: z.boolean(),
    released: z.boolean().describe('Whether the job went back to the queue.'),
  })
  .meta({
    description: 'The job after an approval.',
    examples: [
      {
        jobId: JOB_ID,
        approverName: 'Ana Souza',
        approved: 1,
        required: 2,
        outstanding: 1,
        quorumMet: false,
        released: false,
      },
    ],
  });

export const Rejected = z
  .object({
    jobId: z.uuid(),
    approverName: z.string(),
    reason: z.string().nullable(),
    terminated: z.boolean().describe('A rejection is a veto: always true.'),
  })
  .meta({
    description: 'The job after a rejection.',
    examples: [{ jobId: JOB_ID, approverName: 'Ana Souza', reason: 'Wrong payee.', terminated: true }],
  });

export const DecisionResult = Approved.or(Rejected).meta({
  description: 'The job after a decision: an approval, or a rejection.',
  examples: [
    {
      jobId: JOB_ID,
      approverName: 'Ana Souza',
      approved: 2,
      required: 2,
      outstanding: 0,
      quorumMet: true,
      released: true,
    },
  ],
});

const Verdict = z.enum(['approved', 'rejected']);
const Masked = z.string().describe('The check digits alone.');

export const ApprovalRecord = z
  .object({
    jobId: z.uuid(),
    rule: z.object({
      quorum: z.int(),
      signerSet: z.enum(['Profile', 'Approvers', 'ProfileAndApprovers']),
      expiresAfterSeconds: z.int().nullable(),
      expiresAt: z.iso.datetime().nullable(),
      frozenAt: z.iso.datetime(),
      contentSha256: z.string(),
    }),
    pool: z.array(
      z.object({
        approverName: z.string(),
        approverEmail: z.string(),
        approverCpf: Masked,
        decision: Verdict.nullable(),
      }),
    ),
    decisions: z.array(
      z.object({
        approverEmail: z.string(),
        approverName: z.string(),
        approverCpf: Masked,
        decision: Verdict,
        reason: z.string().nullable(),
        identificationMethod: z.enum(['SelfDeclaredEmail', 'LinkDerivedEmail', 'EntraIdEmail']),
        contentSha256: z.string(),
        decidedAt: z.iso.datetime(),
      }),
    ),
  })
  .meta({
    description: 'The frozen rule of a job, its pool, and the decisions in their order.',
    examples: [
      {
        jobId: JOB_ID,
        rule: {
          quorum: 2,
          signerSet: 'Profile' as const,
          expiresAfterSeconds: 172_800,
          expiresAt: '2026-03-04T12:00:00.000Z',
          frozenAt: '2026-03-02T12:00:00.000Z',
          contentSha256: SHA256,
        },
        pool: [
          {
            approverName: 'Ana Souza',
            approverEmail: 'ana@sandbox.example',
            approverCpf: '***.***.***-25',
            decision: null,
          },
        ],
        decisions: [],
      },
    ],
  });
