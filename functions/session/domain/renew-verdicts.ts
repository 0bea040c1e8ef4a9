import { type Certificate, parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { dueItems } from '../../../shared/store/due/items.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { vault } from './vault/vault.ts';
import { DUE_VERDICTS, renewVerdict, type Verdict, verdicts } from './verdicts.ts';
import { certificatesAt } from './workstations/certificates.ts';

export type Renewed = {
  readonly renewed: number;
  readonly forgotten: number;
  readonly failed: readonly unknown[];
};

// Judging is waiting for lists and responders: a few at a time, and what a run does not come to is due for the next.
const AT_ONCE = 8;
const ROUND_MS = 200_000;

/** Renews the verdicts whose interval is over. One on a certificate that nobody holds any more is forgotten. */
export async function renewDue(nowMs: number): Promise<Renewed> {
  const due = await dueItems(verdicts, { duePk: DUE_VERDICTS, nowMs });
  const endsAtMs = performance.now() + ROUND_MS;
  const count = { renewed: 0, forgotten: 0 };
  const failed: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let verdict = due.shift(); verdict && performance.now() < endsAtMs; verdict = due.shift()) {
      try {
        count[await renew(verdict, nowMs)]++;
      } catch (error) {
        failed.push(error); // it is still due, and the others are not held up by it
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { ...count, failed };
}

async function renew(verdict: Stored<Verdict>, nowMs: number): Promise<'renewed' | 'forgotten'> {
  const certificate = parseCertificate(verdict.der);
  if (await isHeld(certificate)) {
    await renewVerdict(certificate, nowMs);
    return 'renewed';
  }
  await verdicts.delete(verdict).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error; // somebody has just judged it anew
  });
  return 'forgotten';
}

async function isHeld(certificate: Certificate): Promise<boolean> {
  const { sha256 } = certificate;
  const { cpf } = icpBrasilIdentity(certificate);
  if (!cpf) return false;
  if (await vault.get({ cpf, sha256 })) return true;
  return (await certificatesAt(cpf)).some((each) => each.sha256 === sha256);
}
