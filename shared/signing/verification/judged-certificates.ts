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

/** Whom a verification trusts, and how it learns of revocations. See judge(). */
export type TrustOptions = Omit<Judgement, 'atMs' | 'crls' | 'ocspResponses' | 'checks'>;

export type JudgedCertificates = {
  readonly judge: Judge;
  readonly hasAnchors: boolean;
  /** A certificate with the chain by which it was judged, where that holds. */
  modelOf(certificate: Certificate): CertificateModel;
  standingOf(certificate: Certificate): IcpBrasilStanding;
};

/** A judge that remembers by which chain it judged. @example const { judge, modelOf } = judgedCertificates({ anchors, source }); */
export function judgedCertificates(trust: TrustOptions): JudgedCertificates {
  const paths = new Map<string, Path>();
  const { source } = trust;
  const judge = createJudge({ ...trust, ...(source && { source: limitIssuers(source) }) });
  const pathOf = ({ sha256 }: Certificate): readonly Certificate[] => paths.get(sha256) ?? [];
  return {
    hasAnchors: trust.anchors.length > 0,
    async judge(certificate, candidates, atMs, along) {
      const verdict = await judge(certificate, candidates, atMs, along);
      // A path that does not hold is only what the certificate says: a forged one names its issuers too.
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

// A file of many signers needs the certificates of a few authorities, if it does not hold them.
const MAX_ISSUER_QUESTIONS = 20;

/**
 * A source that is asked for issuers only so often. Whoever makes a certificate writes any address into it, and it is
 * asked before anything is trusted: a file of a thousand such signers would have us call one victim again and again.
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

/** Reads a certificate without its extensions where those cannot be read: the rest still says whose it is. */
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

// Not a copy: to read every property would read a key that may be of no kind that is known here.
const withoutExtensions = (certificate: Certificate): Certificate =>
  Object.create(certificate, { extensions: { value: new Map() } });

// The arc of ICP-Brasil: identity fields stand below 1.3 and 1.4, certificate policies below 1.2 (DOC-ICP-04).
const ARC = /^2\.16\.76\.1\./;
const INFRASTRUCTURE = 'ICP-Brasil';

/**
 * Whether a certificate is one of ICP-Brasil. Anyone can write its fields into a certificate, and its name into a root:
 * only a chain that ends at a root which is trusted here proves it.
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
