import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { digestOid, hashOf } from '../../../../shared/signing/digest.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import { policyById } from '../../domain/signature-policies.ts';
import { errors } from '../../errors.ts';
import type { ReceivedFile } from '../../files/domain/receive-file.ts';
import { refuseUnsignable } from '../../signatures/domain/refusals.ts';
import { startSigning } from '../../signatures/domain/start-signing.ts';
import type { SigningKind } from '../../signatures/domain/started.ts';
import type { StartFields } from '../contract.ts';

export type EarlierKind = Exclude<SigningKind, 'Signature'>;

const FORMATS: Readonly<Record<EarlierKind, SignatureFormat>> = {
  PadesSignature: 'PAdES',
  CadesSignature: 'CAdES',
  XmlSignature: 'XAdES',
};

export type EarlierStart = {
  readonly kind: EarlierKind;
  readonly common: z.output<typeof StartFields>;
  readonly file: ReceivedFile | undefined;
  readonly isCoSigned?: boolean;
  readonly options: Omit<SignatureOptions, 'policy'>;
  readonly visual?: VisualRepresentation | undefined;
};

/** The first step, as the earlier generation answers it. A certificate that may not sign is an error there. */
export async function startEarlier(
  caller: Caller,
  { kind, common, file, isCoSigned = false, options, visual }: EarlierStart,
  nowMs: number,
) {
  const format = FORMATS[kind];
  const { policy, isTimestamped } = policyById(common.signaturePolicyId, format, common.securityContextId);
  const request = {
    ...{ kind, format, file, isCoSigned, visual, isTimestamped },
    certificate: certificateOf(common),
    securityContextId: common.securityContextId,
    ignoreRevocationStatusUnknown: common.ignoreRevocationStatusUnknown,
    callbackArgument: common.callbackArgument,
    options: { ...options, ...(policy && { policy }) },
  };
  const outcome = await startSigning(caller, request, nowMs).catch((error: unknown) =>
    refuseUnsignable(format, error),
  );
  const { started, certificate, validationResults } = outcome;
  if (!started) throw errors.refuse('ValidationError', { validationResults });
  return {
    token: started.state,
    certificate,
    toSignData: started.toSign.toString('base64'),
    toSignHash: hashOf('sha256', started.toSign).toString('base64'),
    digestAlgorithmOid: digestOid('sha256'),
  };
}

function certificateOf({ certificate }: EarlierStart['common']): string {
  if (certificate) return certificate;
  throw errors.refuse('InvalidRequest', undefined, {
    fields: [{ field: 'certificate', message: 'is required: no browser component gives it later here' }],
  });
}
