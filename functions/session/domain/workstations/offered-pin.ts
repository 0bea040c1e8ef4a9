import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { publicKeyIn } from '../../../../shared/workstation/keys.ts';
import type { Outcome } from '../../../../shared/workstation/messages.ts';
import { sealPin } from '../../../../shared/workstation/sealed-pin.ts';
import { settings } from '../../settings.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { agents } from './agent.ts';
import { type WorkstationCertificate, workstationCertificates } from './certificates.ts';
import { relay } from './relay.ts';

/** A PIN that a caller offers for a CPF. */
type PinRequest = {
  readonly cpf: string;
  readonly pin: string;
  /** Fingerprints of the certificates that a session may be bound to; all of the CPF's when left out. */
  readonly among?: ReadonlySet<string>;
};

export type PinMatch = { readonly kind: 'matched'; readonly sha256: string; readonly agentId: string };
export type CompareResult = PinMatch | { readonly kind: 'different' | 'not-cached' | 'offline' | 'none' };

/**
 * Offers a PIN to the workstations that hold a certificate of the CPF. Each compares it with the PIN in use there, and
 * none presents it to its token. A prompt makes sense after `not-cached`: no workstation has a PIN to compare with.
 */
export async function comparePin({ pin, ...filter }: PinRequest, now: () => number): Promise<CompareResult> {
  const { isHeld, online } = await findCandidates(filter, now());
  if (!isHeld) return { kind: 'none' };
  const deadline = deadlineIn(settings['Sessions:PinRelayTimeout'] * 1000, now);
  const finished = new AbortController();
  const results = await Promise.all(
    online.map(async (candidate) => {
      const result = await compareAt(candidate, { pin, deadline, signal: finished.signal });
      // One match is enough: nobody waits for a slow workstation.
      if (result.kind === 'matched') finished.abort();
      return result;
    }),
  );
  const matched = results.find(({ kind }) => kind === 'matched');
  if (matched) return matched;
  const kinds = new Set(results.map(({ kind }) => kind));
  if (kinds.has('different')) return { kind: 'different' };
  return { kind: kinds.has('not-cached') ? 'not-cached' : 'offline' };
}

type AttemptOptions = { readonly pin: string; readonly deadline: Deadline; readonly signal: AbortSignal };

async function compareAt(
  { agentId, sha256, sealFor }: Candidate,
  { pin, ...wait }: AttemptOptions,
): Promise<CompareResult> {
  const answer = await relay({
    agentId,
    contentFor: (taskId) => ({ kind: 'compare-pin', box: sealPin(pin, sealFor, { agentId, taskId }) }),
    absenceMs: Number.POSITIVE_INFINITY,
    ...wait,
  });
  // An agent compares at once: one that does not answer is not there.
  if (answer === 'late' || answer === 'absent') return { kind: 'offline' };
  if (answer.outcome === 'matched') return { kind: 'matched', sha256, agentId };
  return { kind: answer.outcome === 'different' ? 'different' : 'not-cached' };
}

type Unmatched = Exclude<Outcome<'prompt-pin'>, 'matched'> | 'offline';
export type PromptResult = PinMatch | { readonly kind: Unmatched };

type PromptRequest = PinRequest & {
  /** Shown to the holder. */
  readonly application: string;
  readonly deadline: Deadline;
};

// The result where several workstations answered: the most specific one.
const BY_SPECIFICITY: readonly Unmatched[] = ['declined', 'different', 'timed-out', 'impossible'];

/**
 * Asks the holder for the PIN at every online workstation that holds a certificate of the CPF. The token gets the PIN
 * that the holder types; the offered PIN is then compared with it. One match, or one refusal, ends every prompt.
 */
export async function promptPin(request: PromptRequest): Promise<PromptResult> {
  const { pin, application, deadline, ...filter } = request;
  const { online } = await findCandidates(filter, deadline.now());
  const finished = new AbortController();
  const results = await Promise.all(
    online.map(async (candidate) => {
      const result = await promptAt(candidate, { pin, application, deadline, signal: finished.signal });
      if (result.kind === 'matched' || result.kind === 'declined') finished.abort();
      return result;
    }),
  );
  const matched = results.find(({ kind }) => kind === 'matched');
  if (matched) return matched;
  const kind = BY_SPECIFICITY.find((each) => results.some((result) => result.kind === each));
  return { kind: kind ?? 'offline' };
}

async function promptAt(
  { agentId, sha256, sealFor }: Candidate,
  { pin, application, ...wait }: AttemptOptions & { readonly application: string },
): Promise<PromptResult> {
  const answer = await relay({
    agentId,
    contentFor: (taskId) => ({
      kind: 'prompt-pin',
      box: sealPin(pin, sealFor, { agentId, taskId }),
      sha256,
      application,
    }),
    absenceMs: settings['Sessions:PinRelayTimeout'] * 1000,
    ...wait,
  });
  if (answer === 'absent') return { kind: 'offline' };
  if (answer === 'late') return { kind: 'timed-out' };
  if (answer.outcome === 'matched') return { kind: 'matched', sha256, agentId };
  return { kind: answer.outcome as Unmatched };
}

/** An online workstation, and the certificate that a session would be bound to there. */
type Candidate = { readonly agentId: string; readonly sha256: string; readonly sealFor: KeyObject };

/** The workstations that hold a certificate of the CPF: whether there are any, and those that are online. */
export async function findCandidates(
  { cpf, among }: Omit<PinRequest, 'pin'>,
  nowMs: number,
): Promise<{ readonly isHeld: boolean; readonly online: readonly Candidate[] }> {
  const found = (await workstationCertificates(cpf, nowMs)).filter(
    ({ sha256 }) => !among || among.has(sha256),
  );
  const byAgent = Map.groupBy(
    found.filter(({ online }) => online),
    ({ agentId }) => agentId,
  );
  const online: Candidate[] = [];
  for (const { id, x25519 } of await agents.getMany([...byAgent.keys()])) {
    const best = newestValid(byAgent.get(id) ?? [], nowMs);
    const sealFor = publicKeyIn(x25519, 'x25519');
    if (best && sealFor) online.push({ agentId: id, sha256: best.sha256, sealFor });
  }
  return { isHeld: found.length > 0, online };
}

const isValid = ({ notBeforeMs, notAfterMs }: Certificate, nowMs: number): boolean =>
  notBeforeMs <= nowMs && nowMs < notAfterMs;

// One PIN opens all certificates of a workstation: take the newest among the valid ones.
const newestValid = (certificates: readonly WorkstationCertificate[], nowMs: number) =>
  certificates.toSorted(
    (a, b) =>
      Number(isValid(b.certificate, nowMs)) - Number(isValid(a.certificate, nowMs)) ||
      b.certificate.notBeforeMs - a.certificate.notBeforeMs,
  )[0];
