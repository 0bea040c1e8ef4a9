import type { SignatureFormat } from '../../../shared/signing/format-of.ts';
import { readPolicy } from '../../../shared/signing/policy-file.ts';
import { type PolicyOption, policyOption } from '../../../shared/signing/two-step/options.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { isOfIcpBrasil } from './security-contexts.ts';
import { hasTimestampAuthority } from './timestamps.ts';

/**
 * What a policy asks for: nothing more, certificates of ICP-Brasil, a timestamp, the file of ICP-Brasil's policy, that file
 * and a timestamp, or what is not made here, as references to all revocation data (AD-RC) and archives (AD-RA).
 */
type Need = 'nothing' | 'icp-brasil' | 'timestamp' | 'file' | 'file-and-timestamp' | 'unsupported';

type KnownPolicy = { readonly name: string; readonly format: SignatureFormat; readonly need: Need };

const known = (format: SignatureFormat, rows: Readonly<Record<string, readonly [string, Need]>>) =>
  Object.entries(rows).map(([id, [name, need]]) => [id, { name, format, need }] as const);

export const PADES_OF_ICP_BRASIL = '3fec800c-366c-49bf-82c5-2e72154e70f6';

/** The policies whose ids the clients know. */
const POLICIES: ReadonlyMap<string, KnownPolicy> = new Map([
  ...known('PAdES', {
    '78d20b33-014d-440e-ad07-929f05d00cdf': ['PAdES basic', 'nothing'],
    [PADES_OF_ICP_BRASIL]: ['PAdES basic with ICP-Brasil certificates', 'icp-brasil'],
    '6a39aeea-a2d0-4754-bf8c-19da15296ddb': ['PAdES-T', 'timestamp'],
    '531d5012-4c0d-4b6f-89e8-ebdcc605d7c2': ['PAdES AD-RB', 'file'],
    '10f0d9a5-a0a9-42e9-9523-e181ce05a25b': ['PAdES AD-RT', 'file-and-timestamp'],
    'aaed831b-fa9d-4732-82fc-8d25f2c16c57': ['Adobe Reader', 'unsupported'],
  }),
  ...known('CAdES', {
    'a4522485-c9e5-46c3-950b-0d6e951e17d1': ['CAdES-BES', 'nothing'],
    '8108539d-c137-4f45-a1f2-de5305bc0a37': ['CAdES-BES with signing time', 'nothing'],
    '3ddd8001-1672-4eb5-a4a2-6e32b17ddc46': ['CAdES AD-RB', 'file'],
    'd890b391-f82f-468c-a7e8-bf734dde9d6e': ['CAdES AD-RB without CRLs', 'file'],
    'a5332ad1-d105-447c-a4bb-b5d02177e439': ['CAdES AD-RT', 'file-and-timestamp'],
    '30d881e7-924a-4a14-b5cc-d5a1717d92f6': ['CAdES AD-RC', 'unsupported'],
  }),
  ...known('XAdES', {
    '1beba282-d1b6-4458-8e46-bd8ad6800b54': ['XAdES-BES', 'nothing'],
    '2bb5d8c9-49ba-4c62-8104-8141f6459d08': ['XML-DSig', 'unsupported'],
    '1cf5db62-58b6-40ba-88a3-d41bada9b621': ['XAdES AD-RB', 'file'],
    '5aa2e0af-5269-43b0-8d45-f4ef52921f04': ['XAdES AD-RT', 'file-and-timestamp'],
    '5b8c0710-006d-434d-bf35-12292b56b90a': ['XAdES AD-RA', 'unsupported'],
    '826b3a00-3400-4236-90d9-40917b0cc83b': ['XAdES AD-RC', 'unsupported'],
    'a3c24251-d43a-4ba4-b25d-ee8e2ab24f06': ['NF-e', 'unsupported'],
    'bf71e0fc-6ffd-4135-a137-0e488a3ad39e': ['COD SHA-1', 'unsupported'],
    '45d83a40-1d59-480a-8cd2-d3df1060cce3': ['COD SHA-256', 'unsupported'],
  }),
]);

/** What a policy asks of a signature. */
export type PolicyDemands = {
  /** The policy that the signature names; undefined for a policy that is none of ICP-Brasil. */
  readonly policy: PolicyOption | undefined;
  readonly isTimestamped: boolean;
};

export function policyById(
  id: string | null | undefined,
  format: SignatureFormat,
  securityContextId: string | null | undefined,
): PolicyDemands {
  if (!id) throw errors.refuse('SignaturePolicyRequired');
  const signaturePolicyId = id.toLowerCase();
  const found = POLICIES.get(signaturePolicyId);
  if (!found) throw errors.refuse('EntityNotFound', { signaturePolicyId });
  const { name, need } = found;
  const unusable = (reason: string) =>
    errors.refuse('EntityUnusable', { signaturePolicyId, policy: name, reason });
  if (found.format !== format) throw unusable(`It is a policy of ${found.format}, and not of ${format}.`);
  if (need === 'unsupported') throw unusable('Signatures of this policy are not made here.');
  if (need === 'icp-brasil' && !isOfIcpBrasil(securityContextId))
    throw unusable('It takes certificates of ICP-Brasil alone, and the security context trusts others.');
  const isTimestamped = need === 'timestamp' || need === 'file-and-timestamp';
  if (isTimestamped && !hasTimestampAuthority())
    throw unusable(
      'It asks for a timestamp, and the operator has named no authority in the setting Signatures:TimestampAuthorities.',
    );
  if (need !== 'file' && need !== 'file-and-timestamp') return { policy: undefined, isTimestamped };
  const file = settings['SignaturePolicies:Files'].find((each) => each.id === signaturePolicyId)?.file;
  if (!file)
    throw unusable(
      'The operator has not given its file: it is named in the setting SignaturePolicies:Files.',
    );
  return { policy: policyOption(readPolicy(file)), isTimestamped };
}
