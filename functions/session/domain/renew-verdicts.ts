import { type Certificate, parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { dueItems } from '../../../shared/store/due/items.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { vault } from './vault/vault.ts';
import { DUE_VERDICTS, renewVerdict, type Verdict, verdicts } from './verdicts.ts';
import { workstationCertificates } from './workstations/certificates.ts';

export type RenewalResult = {
  readonly renewed: number;
  readonly forgotten: number;
  readonly failed: readonly unknown[];
};

// A verdict waits for CRLs and OCSP responders, so several run at once. The next run takes those that do not fit in.
const MAX_AT_ONCE = 8;
const MAX_RUN_MS = 200_000;

/** Renews the verdicts whose interval is over. The verdict on a certificate that nobody holds any more is deleted. */
export async function renewDueVerdicts(nowMs: number): Promise<RenewalResult> {
  const due = await dueItems(verdicts, { duePk: DUE_VERDICTS, nowMs });
  const endsAtMs = performance.now() + MAX_RUN_MS;
  const count = { renewed: 0, forgotten: 0 };
  const failed: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let verdict = due.shift(); verdict && performance.now() < endsAtMs; verdict = due.shift()) {
      try {
        count[await renew(verdict, nowMs)]++;
      } catch (error) {
        failed.push(error); // it stays due, and does not stop the others
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return { ...count, failed };
}

async function renew(verdict: Stored<Verdict>, nowMs: number): Promise<'renewed' | 'forgotten'> {
  const certificate = parseCertificate(verdict.der);
  if (await isHeld(certificate, nowMs)) {
    await renewVerdict(certificate, nowMs);
    return 'renewed';
  }
  await verdicts.delete(verdict).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error; // another process has just renewed it
  });
  return 'forgotten';
}

async function isHeld(certificate: Certificate, nowMs: number): Promise<boolean> {
  const { sha256 } = certificate;
  const { cpf } = icpBrasilIdentity(certificate);
  if (!cpf) return false;
  if (await vault.get({ cpf, sha256 })) return true;
  return (await workstationCertificates(cpf, nowMs)).some((each) => each.sha256 === sha256);
}
