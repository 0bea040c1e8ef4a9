import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import type { DegradedProfile, FurtherCheck } from '../../operations/domain/readiness.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import {
  type CertificateNotice,
  certificateNoticeOf,
  describeNotice,
  usesKey,
} from './certificate-notice.ts';
import { findDegradedReason } from './missing-folders.ts';
import { certificateOf, listProfiles, type Profile } from './profile.ts';
import { readCertificate } from './render-profile.ts';

/** What readiness tells of a profile. */
type Summary = {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly reason?: Sentence;
  readonly inputFolder?: string;
  readonly isKeyless: boolean;
  /** When the certificate that the profile signs with expires. */
  readonly certificateEndMs: number | undefined;
  readonly noticeAt: (nowMs: number) => CertificateNotice | undefined;
};

// Anyone may ask for readiness: the profiles are read once in Access:CacheSeconds, however many ask.
const recent = cached<readonly Summary[]>({
  name: 'batch.profile-summaries',
  read: readSummaries,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** The profiles that cannot sign, sorted by name, disabled ones included: their queued jobs still finish. */
export const degradedProfiles = async (): Promise<readonly DegradedProfile[]> =>
  ((await recent.get('all')) ?? []).flatMap(({ name, reason }) =>
    reason === undefined ? [] : [{ name, reason }],
  );

/** How many enabled profiles cannot sign. One that was retired with its key gone is no reason to act. */
export const countDegraded = async (): Promise<number> =>
  ((await recent.get('all')) ?? []).filter(({ isEnabled, reason }) => isEnabled && reason !== undefined)
    .length;

/** A check of each profile whose files approvers alone sign. It is never red: no key has to open. */
export const checkKeyless = async (): Promise<readonly FurtherCheck[]> =>
  ((await recent.get('all')) ?? [])
    .filter(({ isKeyless }) => isKeyless)
    .map(({ name }) => ({
      name: `signing-profile-keyless:${name}`,
      ok: true,
      detail: say('check.keyless'),
    }));

/** The enabled profiles that can sign, and whose certificate is not valid now or not for long. Sorted by name. */
export const certificateNotices = async (
  nowMs: number,
): Promise<readonly { readonly name: string; readonly notice: CertificateNotice }[]> =>
  ((await recent.get('all')) ?? []).flatMap(({ name, reason, noticeAt }) => {
    const notice = reason === undefined ? noticeAt(nowMs) : undefined;
    return notice ? [{ name, notice }] : [];
  });

/** When the first certificate of an enabled profile expires, or has; undefined where none signs with one. */
export async function firstCertificateEndMs(): Promise<number | undefined> {
  const ends = ((await recent.get('all')) ?? []).flatMap(({ certificateEndMs: endMs }) => endMs ?? []);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** A check of each of those. It is never red: such a profile is not degraded, and its detail has what to do. */
export const checkCertificates = async (nowMs: number): Promise<readonly FurtherCheck[]> =>
  (await certificateNotices(nowMs)).map(({ name, notice }) => ({
    name: `signing-profile:${name}`,
    ok: true,
    isWarning: true,
    detail: describeNotice(notice),
  }));

/** The profiles that select an input folder, sorted by name. */
export const profilesWithFolder = async (): Promise<
  readonly { readonly name: string; readonly inputFolder: string }[]
> =>
  ((await recent.get('all')) ?? []).flatMap(({ name, inputFolder }) =>
    inputFolder === undefined ? [] : [{ name, inputFolder }],
  );

/** Reads them again at the next call, after a change by this process. */
export const forgetDegraded = (): void => recent.drop('all');

async function readSummaries(): Promise<readonly Summary[]> {
  const summaries = (await listProfiles()).map(async (profile) => {
    const reason = await findDegradedReason(profile);
    const { name, inputFolder, approval } = profile;
    return {
      name,
      isEnabled: profile.enabled,
      isKeyless: approval?.signerSet === 'Approvers',
      certificateEndMs: endOf(profile),
      noticeAt: noticesOf(profile),
      ...(reason !== undefined && { reason }),
      ...(inputFolder !== undefined && { inputFolder }),
    };
  });
  return Promise.all(summaries);
}

const certificateIn = (profile: Profile) => {
  const der = profile.enabled ? certificateOf(profile) : undefined;
  return der && readCertificate(der);
};

const endOf = (profile: Profile): number | undefined =>
  usesKey(profile, profile.approval?.signerSet) ? certificateIn(profile)?.notAfterMs : undefined;

function noticesOf(profile: Profile): Summary['noticeAt'] {
  const certificate = certificateIn(profile);
  return (nowMs) => certificateNoticeOf(profile, certificate, nowMs);
}
