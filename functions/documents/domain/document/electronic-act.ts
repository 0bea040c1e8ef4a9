import { randomInt } from 'node:crypto';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { type Assignment, type CodeFactor, partIdOf } from '../flow/flow.ts';
import { documentPartition } from './document.ts';

/** A code that was sent. Its hash holds what it is for, and the link at which it was asked for. */
type SentCode = {
  readonly hash: string;
  readonly expiresAtMs: number;
  /** The link again, so that its page has the field for the code. Older ones have none written. */
  readonly via?: string;
};

/**
 * The electronic signature that one person has begun: their part in one action of one document. It is deleted in the
 * commit of the signature, so a code that signed is gone. What a code is, where it is, is in docs/electronic-signatures.md.
 */
export type ElectronicAct = {
  readonly documentId: string;
  readonly actionId: string;
  readonly personId: string;
  readonly codes: Readonly<Partial<Record<CodeFactor, SentCode>>>;
  /** In a row, whatever factor. */
  readonly wrongCodes: number;
  readonly lockedUntilMs: number;
  /** The secret of an authenticator app that no code has confirmed yet. It opens at the link where it was made. */
  readonly pendingSecret?: string;
  /** The biometric session that was begun last, at the link where it was. */
  readonly liveness?: { readonly sessionId: string; readonly via: string };
  readonly updatedAtMs: number;
};

export type ActId = Pick<ElectronicAct, 'documentId' | 'actionId' | 'personId'>;

/** The act of a person's part: what was begun at an earlier address of theirs is not of it. */
export const actIdOf = (documentId: string, { action, person }: Assignment): ActId => ({
  documentId,
  actionId: action.id,
  personId: partIdOf(person),
});

const KEPT_SECONDS = 86_400;

export const electronicActs = collection<ElectronicAct, ActId>({
  service: 'documents',
  name: 'electronic act',
  id: ({ documentId, actionId, personId }) => ({ documentId, actionId, personId }),
  key: ({ documentId, actionId, personId }) => ({
    pk: documentPartition(documentId),
    sk: `ACT#${actionId}#${personId}`,
  }),
  indexed: ({ updatedAtMs }) => ({ ttl: Math.ceil(updatedAtMs / 1000) + KEPT_SECONDS }),
});

/** How long a code is good for, and how long a person is locked out after too many wrong ones. */
export const SIGNING_CODE_VALID_MS = 10 * 60_000;
export const LOCKED_MS = 15 * 60_000;
export const MAX_WRONG_CODES = 6;

const DIGITS = 6;
export const newSigningCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** `via` is the hash of the link, or the application that signs for the person. */
type CodeOwner = ActId & { readonly via: string; readonly factor: CodeFactor };

/** The hash of a code: of one part of one document, one factor and one link. Elsewhere it is no code. */
export const hashSigningCode = (owner: CodeOwner, code: string): string => {
  const { documentId, actionId, personId, via, factor } = owner;
  return hashSecret(JSON.stringify([documentId, actionId, personId, via, factor, code]));
};

/** An act before its first code. */
export const newAct = (id: ActId, nowMs: number): ElectronicAct => ({
  ...{ documentId: id.documentId, actionId: id.actionId, personId: id.personId },
  codes: {},
  wrongCodes: 0,
  lockedUntilMs: 0,
  updatedAtMs: nowMs,
});

/** Changes an act, or begins it. */
export const changeAct = (
  id: ActId,
  decide: (current: ElectronicAct) => Partial<ElectronicAct>,
  nowMs: number,
): Promise<StoredAct> =>
  retryOnConflict(
    async () => {
      const stored = await electronicActs.get(id);
      const act = stored ?? newAct(id, nowMs);
      const patch = { ...decide(act), updatedAtMs: nowMs };
      return stored ? electronicActs.change(stored, patch) : electronicActs.create({ ...act, ...patch });
    },
    { mayCreate: true },
  );

/** Keeps the hash of a new code, which takes the place of the one before. Wrong codes stay counted. */
export const keepSigningCode = (owner: CodeOwner, code: string, nowMs: number): Promise<unknown> => {
  const { via } = owner;
  const sent = { hash: hashSigningCode(owner, code), expiresAtMs: nowMs + SIGNING_CODE_VALID_MS, via };
  return changeAct(owner, ({ codes }) => ({ codes: { ...codes, [owner.factor]: sent } }), nowMs);
};

export type StoredAct = Stored<ElectronicAct>;
