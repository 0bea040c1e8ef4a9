import { onlineRevocation } from '../../../cli/arguments/trust.ts';
import { holderEntry } from '../../../functions/sandbox/authority/domain/holder-file.ts';
import { holderProfile } from '../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { createJudge } from '../../../shared/pki/verdict/verdict.ts';
import type { Stamp } from '../../../shared/signing/cms/stamp.ts';
import { localKey, type SigningKey } from '../../../shared/signing/key.ts';
import { type CollectEvidence, collectEvidenceWith } from '../../../shared/signing/pades/collect-evidence.ts';
import { stampWith } from '../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../shared/signing/timestamp/post.ts';
import { below, type Holder, type KeyKind, testKey } from '../../certificates/pki.ts';
import type { ServedSandbox } from '../../cli/sandbox.ts';

/** Who signs the sample: people below an authority whose lists, responder and timestamps are served. */
export type Parties = {
  readonly nowMs: number;
  readonly keys: Readonly<Record<KeyKind, SigningKey>>;
  /** A holder of the sandbox, who may be expired, revoked or not trusted. */
  holder(name: string): SigningKey;
  readonly stamp: Stamp;
  readonly evidence: CollectEvidence;
};

export const KEY_KINDS: readonly KeyKind[] = ['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'];

const DAY_MS = 86_400_000;
const CPF = '52998224725';

/** @example const parties = partiesOf(await serveSandbox()); */
export function partiesOf({ authority, url }: ServedSandbox): Parties {
  const nowMs = Date.now();
  const entry = (name: string, issuer: 'root' | 'intermediate' | 'untrusted' | 'unreachable') => {
    const { certificate, privateKey, chain } = holderEntry(authority, { name, issuer });
    return { certificate, privateKey, chain: chain.filter(({ sha256 }) => sha256 !== certificate.sha256) };
  };
  const holder = (name: string): SigningKey => {
    const issuer = ISSUERS[name] ?? 'intermediate';
    const { certificate, privateKey, chain } = entry(name, issuer);
    return localKey(privateKey, certificate, chain);
  };
  const intermediate: Holder = entry('intermediate', 'root');
  const places = { crl: [`${url}/sandbox/pki/intermediate.crl`] };
  const keyOf = (kind: KeyKind): SigningKey => {
    const { certificate, privateKey, chain } = below(intermediate, testKey(kind, 'judged'), (keys) => ({
      subject: [
        ['country', 'BR'],
        ['organization', 'Sinete Sandbox'],
        ['commonName', `JUDGED ${kind}`],
      ],
      notBeforeMs: nowMs - DAY_MS,
      notAfterMs: nowMs + 365 * DAY_MS,
      extensions: holderProfile({
        ...keys,
        holder: { person: { cpf: CPF, birthDate: '01021980' } },
        places,
      }),
    }));
    return localKey(privateKey, certificate, chain);
  };
  const anchors = [entry('root', 'root').certificate];
  const judge = createJudge({ anchors, source: onlineRevocation() });
  return {
    nowMs,
    keys: Object.fromEntries(KEY_KINDS.map((kind) => [kind, keyOf(kind)])) as Record<KeyKind, SigningKey>,
    holder,
    stamp: stampWith({
      authorities: [{ url: `${url}/sandbox/pki/timestamp` }],
      post: timestampPost({ allowPrivateAddresses: true }),
    }),
    evidence: collectEvidenceWith(judge, nowMs),
  };
}

const ISSUERS: Readonly<Record<string, 'untrusted' | 'unreachable'>> = {
  '87378011126': 'untrusted',
  '15350946056': 'unreachable',
};
