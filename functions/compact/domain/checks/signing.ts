import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import type { Check } from '../../../batch/operations/domain/readiness.ts';
import { findProfile } from '../../../batch/profiles/domain/find-profile.ts';
import {
  type OpenedProfile,
  openProfile,
  ProfileDegraded,
} from '../../../batch/profiles/domain/open-profile.ts';
import type { Profile } from '../../../batch/profiles/domain/profile.ts';
import { timestampAuthorities } from '../../../batch/profiles/domain/timestamp-authorities.ts';
import { settings } from '../../settings.ts';

const SIGNING = 'signing-certificate';

/** The checks of the profile that signs uploads: its certificate, and what else it is configured with. */
export async function findSigningChecks(nowMs: number): Promise<readonly Check[]> {
  const profile = await findProfile(settings['Compact:Profile'] || undefined);
  if (!profile)
    return [{ name: SIGNING, ok: false, detail: 'There is no profile that signs: set Compact:Profile.' }];
  const [opened, authority] = await Promise.all([open(profile), checkAuthority(profile)]);
  if ('ok' in opened) return [opened, ...authority];
  const { signer, encryption } = opened;
  return [
    signer
      ? checkPeriod(SIGNING, signer.certificate, nowMs)
      : { name: SIGNING, ok: true, detail: 'The external signature service signs: no certificate is here.' },
    ...authority,
    ...(encryption && 'certificate' in encryption
      ? [checkPeriod('encryption-certificate', encryption.certificate, nowMs)]
      : []),
  ];
}

/** A profile that does not open has no certificate to sign with, whatever the reason is. */
async function open(profile: Profile): Promise<OpenedProfile | Check> {
  try {
    return await openProfile(profile);
  } catch (error) {
    if (!(error instanceof ProfileDegraded)) throw error;
    return { name: SIGNING, ok: false, detail: error.message };
  }
}

// Its chain and revocation are judged for every job. Here nobody is asked: anyone may call for readiness.
function checkPeriod(name: string, { notBeforeMs, notAfterMs }: Certificate, nowMs: number): Check {
  const [from, to] = [notBeforeMs, notAfterMs].map((ms) => new Date(ms).toISOString());
  return {
    name,
    ok: notBeforeMs <= nowMs && nowMs <= notAfterMs,
    detail: `It is valid from ${from} to ${to}.`,
  };
}

const ANSWER_WITHIN_MS = 5_000;

/**
 * Whether an authority answers. It is sent an empty request and refuses it: a timestamp for every probe would be paid
 * for.
 */
async function checkAuthority({ timestamp }: Profile): Promise<readonly Check[]> {
  if (!timestamp) return [];
  const name = 'timestamp-authority';
  const post = timestampPost();
  for (const url of timestampAuthorities()) {
    try {
      const { status } = await post(url, Buffer.alloc(0), { timeoutMs: ANSWER_WITHIN_MS });
      if (status < 500) return [{ name, ok: true, detail: `${new URL(url).host} answers.` }];
    } catch {
      // The next one is asked.
    }
  }
  return [{ name, ok: false, detail: 'No authority of Signing:TimestampAuthorities answers.' }];
}
