import * as z from 'zod';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import { lowerGauge } from '../../../shared/metrics/count.ts';
import { type Certificate, parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { sendAll } from '../../../shared/queue/send.ts';
import { dueItems } from '../../../shared/store/due/items.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { certificateOf, type VaultCertificate, vault } from './vault/vault.ts';
import { DUE_VERDICTS, renewableAtMs, renewVerdict, type Verdict, verdicts } from './verdicts.ts';
import { workstationCertificates } from './workstations/certificates.ts';

/** The queue of verdicts to renew. */
export const VERDICTS_QUEUE = 'verdicts';

export const RenewalMessage = z.strictObject({
  sha256: z.string().min(1),
  sentAtMs: z.number(),
  /** Whose vault holds it, where an operator asks to have it judged anew, whatever its verdict is. */
  cpf: z.string().optional(),
});
export type RenewalMessage = z.infer<typeof RenewalMessage>;

// The schedule's. A verdict that is still due after it is sent again, so an older message has a younger copy.
const SENT_EVERY_MS = 5 * 60_000;

// As many as one call to SQS takes.
const GROUP_SIZE = 10;
const SENDS_AT_ONCE = 5;

// Responders that hang let a backlog grow, and every run adds what is still due:
//
//   schedule  0:00 sends 900   5:00 sends 600 again    10:00 …
//   queue     900 -> 600       600 + 600               the first 600 are late, and are dropped unread
//   consumer  renews 300       drops 600, renews 300
//
// So the queue never holds more work than one run has sent, and no write marks what is in it.

/**
 * Sends the verdicts whose interval is over to the queue, until all are sent or `hasTime` says no. Returns how many.
 * @example const sent = await sendDueVerdicts(now(), () => remainingMs() > 5_000);
 */
export async function sendDueVerdicts(nowMs: number, hasTime: () => boolean = () => true): Promise<number> {
  let sent = 0;
  const due = dueItems(verdicts, { partitions: DUE_VERDICTS, nowMs, hasTime });
  await forEachConcurrently(SENDS_AT_ONCE, groupsOf(due), async (group) => {
    const messages = group.map(({ sha256 }) => ({
      body: { sha256, sentAtMs: nowMs } satisfies RenewalMessage,
    }));
    await sendAll('session', VERDICTS_QUEUE, messages);
    sent += group.length;
  });
  return sent;
}

async function* groupsOf(due: AsyncIterable<Verdict>): AsyncGenerator<Verdict[]> {
  let group: Verdict[] = [];
  for await (const verdict of due) {
    group.push(verdict);
    if (group.length < GROUP_SIZE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Has the worker judge certificates of the vault anew. A message that is lost costs nothing: their use has them judged. */
export const requestVerdicts = (held: readonly Pick<VaultCertificate, 'cpf' | 'sha256'>[], nowMs: number) =>
  sendAll(
    'session',
    VERDICTS_QUEUE,
    held.map(({ cpf, sha256 }) => ({ body: { cpf, sha256, sentAtMs: nowMs } satisfies RenewalMessage })),
  );

export type Renewal = 'renewed' | 'forgotten' | 'late' | 'fresh';

/**
 * Renews a verdict, unless it was renewed since or the message is late. The verdict on a certificate that nobody holds
 * any more is deleted.
 */
export async function renewDueVerdict(
  { sha256, sentAtMs, cpf }: RenewalMessage,
  nowMs: number,
): Promise<Renewal> {
  if (nowMs - sentAtMs > SENT_EVERY_MS) return 'late';
  if (cpf !== undefined) return renewInVault({ cpf, sha256 }, nowMs);
  const verdict = await verdicts.get(sha256);
  if (!verdict || renewableAtMs(verdict) > nowMs) return 'fresh';
  const certificate = parseCertificate(verdict.der);
  const owner = icpBrasilIdentity(certificate).cpf;
  if (owner && (await renewInVault({ cpf: owner, sha256 }, nowMs)) === 'renewed') return 'renewed';
  if (owner && (await isAtWorkstation(owner, sha256, nowMs))) {
    await renewVerdict({ certificate }, nowMs);
    return 'renewed';
  }
  // Another process has just renewed it.
  await verdicts.delete(verdict).catch(ifThrown(RaceLost));
  return 'forgotten';
}

async function renewInVault(
  id: Pick<VaultCertificate, 'cpf' | 'sha256'>,
  nowMs: number,
): Promise<'renewed' | 'forgotten'> {
  const file = await vault.get(id);
  const certificate = file && certificateOf(file);
  if (!certificate) return 'forgotten';
  measureDaysLeft(certificate, nowMs);
  await renewVerdict({ certificate, file }, nowMs);
  return 'renewed';
}

async function isAtWorkstation(cpf: string, sha256: string, nowMs: number): Promise<boolean> {
  const held = await workstationCertificates(cpf, nowMs);
  return held.some((each) => each.sha256 === sha256);
}

const DAY_MS = 86_400_000;

/** Costs no call, as it goes with a renewal. An expired certificate may stay in the vault for good, and is left out. */
function measureDaysLeft({ notAfterMs }: Certificate, nowMs: number): void {
  if (notAfterMs <= nowMs) return;
  const days = Math.floor((notAfterMs - nowMs) / DAY_MS);
  lowerGauge('VaultCertificateDaysLeft', { Service: 'session' }, days);
}
