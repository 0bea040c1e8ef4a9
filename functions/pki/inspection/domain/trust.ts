import { judgingBy } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import { judgedCertificates } from '../../../../shared/signing/verification/judged-certificates.ts';
import { assumeTrusted } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import { settings } from '../../settings.ts';

const judging = judgingBy('pki', settings);

type Validation = {
  readonly validate?: boolean | null | undefined;
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
};

/** Judges the certificates of a file by a security context, or not at all. */
export function judgeOf({ validate, securityContextId, ignoreRevocationStatusUnknown }: Validation): Judge {
  const { anchors } = securityContext(securityContextId || PKI_BRAZIL);
  if (!validate) return assumeTrusted;
  return judgedCertificates({
    anchors,
    ...judging(),
    ignoreRevocationStatusUnknown: ignoreRevocationStatusUnknown ?? false,
  }).judge;
}
