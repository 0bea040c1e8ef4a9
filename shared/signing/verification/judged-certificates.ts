import { type Certificate, CertificateMalformed } from '../../pki/certificate/certificate.ts';
import { subjectAltNames } from '../../pki/extensions/extensions.ts';
import { certificatePolicies } from '../../pki/extensions/policies.ts';
import { type CertificateModel, certificateModel } from '../../pki/model/certificate-model.ts';
import { nameValue } from '../../pki/name/name.ts';
import { NAME_OID } from '../../pki/name/oids.ts';
import type { Path } from '../../pki/path/validate.ts';
import type { RevocationSource } from '../../pki/revocation/source.ts';
import type { Judgement } from '../../pki/verdict/judgement.ts';
import { createJudge } from '../../pki/verdict/verdict.ts';
import type { Judge } from '../cms/judge.ts';
import type { IcpBrasilStanding } from './report-parts.ts';

/** The trust anchors and revocation sources of a verification. See createJudge(). */
export type TrustOptions = Omit<Judgement, 'atMs' | 'crls' | 'ocspResponses' | 'checks'>;

export type JudgedCertificates = {
  readonly judge: Judge;
  readonly hasAnchors: boolean;
  /** A certificate with its validated chain, if there is one. */
  modelOf(certificate: Certificate): CertificateModel;
  standingOf(certificate: Certificate): IcpBrasilStanding;
};

/** A judge that remembers the chain of each certificate. @example const { judge, modelOf } = judgedCertificates({ anchors, source }); */
export function judgedCertificates(trust: TrustOptions): JudgedCertificates {
  const paths = new Map<string, Path>();
  const { source } = trust;
  const judge = createJudge({ ...trust, ...(source && { source: limitIssuers(source) }) });
  const pathOf = ({ sha256 }: Certificate): readonly Certificate[] => paths.get(sha256) ?? [];
  return {
    hasAnchors: trust.anchors.length > 0,
    async judge(certificate, candidates, atMs, along) {
      const verdict = await judge(certificate, candidates, atMs, along);
      // Issuer spoofing: the path of an untrusted certificate is only its own claim, and a forged one names issuers too.
      if (verdict.status !== 'UNTRUSTED') paths.set(certificate.sha256, verdict.path);
      return verdict;
    },
    modelOf: (certificate) =>
      readTolerantly(certificate, (one) =>
        certificateModel(one, pathOf(certificate).slice(1).map(withReadableExtensions)),
      ),
    standingOf: (certificate) =>
      readTolerantly(certificate, (one) => icpBrasilStanding(one, pathOf(certificate), trust.anchors)),
  };
}

// A file of many signers lacks the certificates of a few authorities at most.
const MAX_ISSUER_QUESTIONS = 20;

/**
 * Limits the requests for issuer certificates. Request amplification: anyone can write any address into a certificate,
 * and it is fetched before anything is trusted. A file of a thousand signers would make us call one victim each time.
 */
function limitIssuers(source: RevocationSource): RevocationSource {
  const asked = new Set<string>();
  return {
    ...source,
    issuers: async (question) => {
      const key = question.addresses.join(' ');
      if (!asked.has(key) && asked.size >= MAX_ISSUER_QUESTIONS) return { problem: TOO_MANY_ISSUERS };
      asked.add(key);
      return source.issuers(question);
    },
  };
}

const TOO_MANY_ISSUERS = `The file names more than ${MAX_ISSUER_QUESTIONS} places where issuers publish their certificates.`;

/** Reads a certificate, without its extensions if they are malformed: the subject is still known. */
function readTolerantly<T>(certificate: Certificate, read: (certificate: Certificate) => T): T {
  try {
    return read(certificate);
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    return read(withoutExtensions(certificate));
  }
}

const withReadableExtensions = (certificate: Certificate): Certificate =>
  readTolerantly(certificate, (one) => {
    certificateModel(one);
    return one;
  });

// A prototype and not a copy: copying would read the public key, which may be of an unsupported kind.
const withoutExtensions = (certificate: Certificate): Certificate =>
  Object.create(certificate, { extensions: { value: new Map() } });

// The OID arc of ICP-Brasil (DOC-ICP-04): certificate policies are below 1.2, identity fields below 1.3 and 1.4.
const ARC = /^2\.16\.76\.1\./;
const INFRASTRUCTURE = 'ICP-Brasil';

/**
 * Whether a certificate is of ICP-Brasil. Issuer spoofing: anyone can write its fields into a certificate, and its name
 * into a root. Only a chain to a root that is trusted here proves it.
 * @example icpBrasilStanding(certificate, path, anchors) // 'verified'
 */
function icpBrasilStanding(
  certificate: Certificate,
  path: readonly Certificate[],
  anchors: readonly Certificate[],
): IcpBrasilStanding {
  const top = path.at(-1);
  const anchor = anchors.find(({ sha256 }) => sha256 === top?.sha256);
  if (anchor && nameValue(anchor.subject, NAME_OID.organization) === INFRASTRUCTURE) return 'verified';
  return isClaimed(certificate) ? 'claimed' : 'no';
}

const isClaimed = (certificate: Certificate): boolean =>
  subjectAltNames(certificate).some((name) => name.kind === 'otherName' && ARC.test(name.oid)) ||
  (certificatePolicies(certificate) ?? []).some(({ oid }) => ARC.test(oid));
