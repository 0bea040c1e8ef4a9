import { readFileSync } from 'node:fs';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { auditOf } from '../../functions/session/domain/audit.ts';
import { requestVerdicts } from '../../functions/session/domain/renew-verdicts.ts';
import {
  type ImportedCertificate,
  importPkcs12,
  NotImportable,
} from '../../functions/session/domain/vault/import.ts';
import {
  certificateOf,
  type VaultCertificate,
  vault,
  vaultOf,
} from '../../functions/session/domain/vault/vault.ts';
import { type Verdict, verdicts } from '../../functions/session/domain/verdicts.ts';
import {
  disableAgent as disableWorkstation,
  type ListedAgent,
  listAgents as listWorkstations,
} from '../../functions/session/domain/workstations/administration.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { StabilityClock } from '../../shared/files/stable.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../shared/pki/pkcs12/errors.ts';
import { SigningRefused } from '../../shared/signing/errors.ts';
import { type Cpf, parseCpf } from '../../shared/taxpayer/cpf.ts';
import { type PinSource, readPin } from '../terminal/pin.ts';

/** Makes a code that lets one workstation enrol, for the certificates of one CPF where that is given. */
export async function createCode({ cpf: given }: { readonly cpf?: string | undefined }): Promise<string> {
  const cpf = given === undefined ? undefined : readCpf(given);
  const made = await createEnrolmentCode(cpf ? { cpf } : {}, Date.now());
  const whose = cpf ? `, for certificates of ${cpf}` : '';
  const until = new Date(made.expiresAtMs).toISOString();
  return `${made.code}\n\nIt lets one workstation enrol${whose}, until ${until}. It is shown now and never again.`;
}

export async function listAgents(): Promise<string> {
  const all = await listWorkstations(Date.now());
  return all.length > 0 ? all.map(agentLine).join('\n') : 'No workstation has enrolled.';
}

function agentLine({ id, name, disabled, online, lastSeenAtMs, certificates, cpf }: ListedAgent): string {
  const seen = lastSeenAtMs === undefined ? 'never seen' : `seen ${new Date(lastSeenAtMs).toISOString()}`;
  const state = disabled ? 'disabled' : online ? 'online' : seen;
  const held = certificates.map((each) => `${each.cpf} (${each.sha256.slice(0, 8)})`).join(', ');
  const only = cpf ? `; for ${cpf} alone` : '';
  return `${id}  ${name}  ${state}  certificates: ${held || 'none'}${only}`;
}

export async function disableAgent(start: string): Promise<string> {
  const { id, name } = await disableWorkstation(start);
  return `Disabled ${name} (${id}): the server ignores it from now on. To use that workstation again, enrol it anew.`;
}

const REFUSALS = [WrongPassword, BrokenPkcs12, UnsupportedPkcs12, NotImportable, SigningRefused];

/**
 * Imports a certificate file into the vault and has the session server judge its certificates. Its password proves that
 * it opens, and is not kept.
 */
export async function importCertificate(file: string, pin: PinSource): Promise<string> {
  const bytes = readBytes(file);
  const imported = await importPkcs12(bytes, await readPin(pin, file), Date.now()).catch((error: unknown) => {
    throw REFUSALS.some((kind) => error instanceof kind)
      ? new AdminRefusal(`${file}: ${(error as Error).message}`)
      : error;
  });
  await requestVerdicts(imported, Date.now());
  return imported.map(importedLine).join('\n');
}

const importedLine = ({ cpf, sha256, subject }: ImportedCertificate): string =>
  `The vault has ${subject} for the CPF ${cpf}, as ${sha256.slice(0, 16)}. Its password is the PIN.`;

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AdminRefusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

export async function listCertificates(text: string): Promise<string> {
  const held = await vaultOf(readCpf(text));
  return certificateLines(text, held, await verdictsOn(held));
}

const verdictsOn = async (held: readonly VaultCertificate[]): Promise<ReadonlyMap<string, Verdict>> =>
  new Map(
    (await verdicts.getMany(held.map(({ sha256 }) => sha256))).map((verdict) => [verdict.sha256, verdict]),
  );

function certificateLines(
  cpf: string,
  held: readonly VaultCertificate[],
  known: ReadonlyMap<string, Verdict>,
): string {
  const lines = held.map((each) => {
    const certificate = certificateOf(each);
    const until = certificate ? new Date(certificate.notAfterMs).toISOString() : 'unknown';
    return `${each.sha256.slice(0, 16)}  ${certificate?.subject.text ?? 'no certificate data'}  until ${until}  ${verdictText(known.get(each.sha256))}`;
  });
  return lines.length > 0 ? lines.join('\n') : `The vault has no certificate for ${cpf}.`;
}

function verdictText(verdict: Verdict | undefined): string {
  if (!verdict) return 'not judged yet';
  const { status, judgedAtMs, reason } = verdict;
  return `${status}, judged ${new Date(judgedAtMs).toISOString()}${reason === undefined ? '' : `: ${reason}`}`;
}

// Longer than Certificates:Validation:CheckTimeout, with the time that a message takes.
const JUDGED_WITHIN_MS = 40_000;
const LOOK_EVERY_MS = 250;

/** Has the session server judge the certificates of a CPF in the vault anew, and waits for its verdicts. */
export async function judgeCertificates(
  text: string,
  { pause = pauseFor, now = Date.now }: StabilityClock = {},
): Promise<string> {
  const held = await vaultOf(readCpf(text));
  const before = await verdictsOn(held);
  await requestVerdicts(held, now());
  const endsAtMs = now() + JUDGED_WITHIN_MS;
  for (;;) {
    const current = await verdictsOn(held);
    const isWaiting = held.some(
      ({ sha256 }) => current.get(sha256)?.judgedAtMs === before.get(sha256)?.judgedAtMs,
    );
    if (!isWaiting) return certificateLines(text, held, current);
    if (now() >= endsAtMs)
      throw new AdminRefusal(
        `The certificates of ${text} were not judged within ${JUDGED_WITHIN_MS / 1000} s: the session server is not running, or has no time for it. vault list ${text} shows what it finds.`,
      );
    await pause(LOOK_EVERY_MS);
  }
}

/** Removes a certificate. A session that is bound to it cannot sign any more. */
export async function removeCertificate(text: string, start: string): Promise<string> {
  const held = await vaultOf(readCpf(text));
  const [found, ...others] = start === '' ? [] : held.filter(({ sha256 }) => sha256.startsWith(start));
  if (!found || others.length > 0)
    throw new AdminRefusal(`Name one certificate of ${text}, as vault list ${text} shows it.`);
  await vault.delete(found);
  return `Removed ${found.sha256.slice(0, 16)} of ${text} from the vault.`;
}

/** The audit trail of one day: a line an entry, and below it the documents that were not signed. */
export async function showAudit(day: string, given: string | undefined): Promise<string> {
  if (!isDay(day)) throw new AdminRefusal(`"${day}" is no day: write it as 2026-11-15.`);
  const cpf = given === undefined ? undefined : readCpf(given);
  const lines: string[] = [];
  for await (const entry of auditOf(day, Date.now())) {
    if (cpf !== undefined && entry.cpf !== cpf) continue;
    const { at, operation, outcome, application, keyId, signatureIds, correlationId, notSigned = [] } = entry;
    const ids = signatureIds.length > 0 ? `  ${signatureIds.join(' ')}` : '';
    lines.push(
      `${at}  ${operation}  ${entry.cpf}  ${outcome}  ${application}/${keyId}  ${correlationId}${ids}`,
    );
    for (const { signatureId, outcome: why, reason } of notSigned)
      lines.push(`  not signed: ${signatureId ?? 'never sent'}  ${why}${reason ? `  ${reason}` : ''}`);
  }
  return lines.length > 0 ? lines.join('\n') : `Nothing is on record for ${cpf ? `${cpf} on ` : ''}${day}.`;
}

// Date.parse takes 2026-02-30 for another day.
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function readCpf(text: string): Cpf {
  const cpf = parseCpf(text);
  if (!cpf) throw new AdminRefusal(`"${text}" is no CPF: its check digits are wrong.`);
  return cpf;
}
