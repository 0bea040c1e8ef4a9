import type { Certificate } from '../../pki/certificate/certificate.ts';
import { EXTENSION, extendedKeyUsage, KEY_PURPOSE } from '../../pki/extensions/extensions.ts';
import { displayName, formatTime } from '../../pki/findings/display.ts';
import { errorFinding, type Finding, passedFinding } from '../../pki/findings/validation-results.ts';
import { type Checks, newChecks } from '../../pki/path/checks.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import { checkSigner } from '../cms/check-signer.ts';
import {
  brokenResult,
  type CheckResult,
  type Integrity,
  intactResult,
  integrityOf,
  uncheckedResult,
} from '../cms/integrity.ts';
import { algorithmName, CONTENT } from '../cms/oids.ts';
import { readSignedData } from '../cms/read.ts';
import { signatureUsageFindings } from '../cms/signer-rules.ts';
import { type Digest, hashOf } from '../digest.ts';
import { CmsMalformed } from '../errors.ts';
import { readInfo, type TimestampInfo } from './info.ts';

/** The hash that the token must cover, in the authority's digest; undefined when it cannot be computed. */
export type ImprintOf = (digest: Digest) => Buffer | undefined;

export type TokenCheck = {
  readonly info: TimestampInfo;
  /** Whether its signature and imprint are right. It says nothing about trust in the authority. */
  readonly intact: Integrity;
  readonly certificate: Certificate | undefined;
  readonly certificates: readonly Certificate[];
  readonly crls: readonly Buffer[];
  /** That of its imprint, and that of its signature. */
  readonly digests: readonly (Digest | undefined)[];
  readonly findings: readonly Finding[];
};

/**
 * Checks a token offline: its imprint, its signature, its authority's certificate. Throws CmsMalformed.
 * @example const { intact, info } = checkToken(token, (digest) => hashOf(digest, signature), []);
 */
export function checkToken(
  token: Buffer,
  imprintOf: ImprintOf,
  otherCertificates: readonly Certificate[],
  checks: Checks = newChecks(),
): TokenCheck {
  const data = readSignedData(token);
  const { content, signers, split } = data;
  // Content-type confusion: only id-ct-TSTInfo is a timestamp, whoever signed it.
  if (split.contentType !== CONTENT.timestampInfo || !content)
    throw new CmsMalformed('This is no timestamp token: its content is of another type.');
  const info = readInfo(content);
  const certificates = [...data.certificates, ...otherCertificates];
  const [signer, ...more] = signers;
  const digests = [info.imprint.digest, signer?.digest];
  const common = { info, certificates, crls: split.crls, digests };
  // RFC 3161, 2.4.2: a token has the signature of the authority and no other.
  if (!signer || more.length) {
    const message = `A timestamp has one signer; this one has ${signers.length}.`;
    return {
      ...common,
      intact: false,
      certificate: undefined,
      findings: [errorFinding('TimestampWithMoreThanOneSigner', message)],
    };
  }
  const ofSigner = checkSigner(signer, {
    certificates,
    contentType: CONTENT.timestampInfo,
    contentHash: (digest) => hashOf(digest, content),
    profile: 'timestamp',
    checks,
  });
  const { certificate } = ofSigner;
  const ofInfo = [...checkVersion(info), checkImprint(info, imprintOf)];
  const ofAuthority = certificate
    ? [
        checkExtendedKeyUsage(certificate),
        ...checkKeyUsage(certificate),
        checkValidityPeriod(info, certificate),
      ]
    : [];
  return {
    ...common,
    certificate,
    intact: integrityOf([...ofInfo, ofSigner, ...ofAuthority]),
    findings: [...findingsOf(ofInfo), ...ofSigner.findings, ...findingsOf(ofAuthority)],
  };
}

const findingsOf = (checked: readonly CheckResult[]): Finding[] => checked.map(({ finding }) => finding);

const checkVersion = ({ version }: TimestampInfo): CheckResult[] =>
  version === 1
    ? []
    : [
        uncheckedResult(
          errorFinding(
            'TimestampValidationException',
            'The timestamp is of a version that is not known here.',
          ),
        ),
      ];

function checkImprint({ imprint }: TimestampInfo, imprintOf: ImprintOf): CheckResult {
  if (!imprint.digest)
    return uncheckedResult(
      errorFinding(
        'AlgorithmNotAllowed',
        `The timestamp's digest algorithm ${algorithmName(imprint.digestOid)} is not supported here: what it is over was not checked.`,
      ),
    );
  const expected = imprintOf(imprint.digest);
  if (!expected)
    return uncheckedResult(
      errorFinding(
        'TimestampMessageImprintMismatch',
        `The ${imprint.digest} hash that the timestamp must be over could not be taken.`,
      ),
    );
  return expected.equals(imprint.hash)
    ? intactResult(passedFinding('The timestamp is over this.'))
    : brokenResult(errorFinding('TimestampMessageImprintMismatch', 'The timestamp is over something else.'));
}

/** RFC 3161, 2.3: the certificate has a critical extended key usage, with id-kp-timeStamping alone. */
function checkExtendedKeyUsage(certificate: Certificate): CheckResult {
  const isCritical = certificate.extensions.get(EXTENSION.extendedKeyUsage)?.critical;
  const [purpose, ...more] = orUndefined(() => extendedKeyUsage(certificate)) ?? [];
  return isCritical && purpose === KEY_PURPOSE.timeStamping && !more.length
    ? intactResult(passedFinding(`The certificate of ${displayName(certificate)} is for timestamps.`))
    : brokenResult(
        errorFinding(
          'InvalidKeyUsage',
          `The certificate of ${displayName(certificate)} is not one for timestamps alone.`,
        ),
      );
}

const checkKeyUsage = (certificate: Certificate): CheckResult[] =>
  signatureUsageFindings(certificate).map((finding) =>
    finding.outcome === 'errors' ? brokenResult(finding) : intactResult(finding),
  );

function checkValidityPeriod({ timeMs }: TimestampInfo, certificate: Certificate): CheckResult {
  return timeMs >= certificate.notBeforeMs && timeMs <= certificate.notAfterMs
    ? intactResult(
        passedFinding(`${displayName(certificate)} says that it existed at ${formatTime(timeMs)}.`),
      )
    : brokenResult(
        errorFinding(
          'TimestampValidationException',
          `The timestamp tells ${formatTime(timeMs)}, when the certificate of ${displayName(certificate)} was not valid.`,
        ),
      );
}
