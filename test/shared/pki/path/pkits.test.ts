import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { allErrors } from '../../../../shared/pki/findings/validation-results.ts';
import { PAST_ALGORITHMS } from '../../../../shared/pki/path/settings.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';

type Case = {
  readonly id: string;
  readonly name: string;
  readonly cert: string;
  readonly other_certs?: readonly string[];
  readonly crls?: readonly string[];
  readonly revocation?: boolean;
  readonly params?: {
    readonly user_initial_policy_set?: readonly string[];
    readonly initial_explicit_policy?: boolean;
    readonly initial_policy_mapping_inhibit?: boolean;
    readonly initial_any_policy_inhibit?: boolean;
  };
  readonly valid: boolean;
};

// The NIST Public Key Interoperability Test Suite is beside the repository, not in it.
const corpus = fileURLToPath(new URL('../../../../../shared/corpus/pkits/', import.meta.url));
const isThere = existsSync(`${corpus}cases.json`);
if (!isThere) console.warn(`PKITS is not run: there is no ${corpus}cases.json.`);

// The certificates and CRLs of the suite are valid from 2010 to 2030.
const AT_MS = Date.UTC(2024, 0, 1);

const cases = isThere ? (JSON.parse(readFileSync(`${corpus}cases.json`, 'utf8')) as Case[]) : [];
const certificate = (file: string): Certificate => parseCertificate(readFileSync(`${corpus}certs/${file}`));

/** A certificate of the suite; empty if it does not parse. */
function parseIfWellFormed(file: string): Certificate[] {
  try {
    return [certificate(file)];
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateMalformed);
    return [];
  }
}

const crl = (file: string): Buffer => readFileSync(`${corpus}crls/${file}`);

describe.skipIf(!isThere)('PKITS', () => {
  test('is here whole', () => expect(cases).toHaveLength(246));

  test.each(cases.map((one) => [one.id, one.name, one.valid, one] as const))(
    '%s %s has the verdict %s',
    async (_id, _name, valid, { cert, other_certs = [], crls = [], revocation, params = {} }) => {
      const [target] = parseIfWellFormed(cert);
      if (!target) return expect(valid).toBe(false);
      const { status, results } = await judge(target, {
        anchors: [certificate('TrustAnchorRootCertificate.crt')],
        intermediates: other_certs.flatMap(parseIfWellFormed),
        crls: [...crls, 'TrustAnchorRootCRL.crl'].map(crl),
        revocation: revocation === false ? 'skip' : 'check',
        atMs: AT_MS,
        now: () => AT_MS,
        algorithms: PAST_ALGORITHMS, // one chain is signed with DSA and SHA-1
        policies: {
          ...(params.user_initial_policy_set && { accepted: params.user_initial_policy_set }),
          explicit: params.initial_explicit_policy ?? false,
          inhibitMapping: params.initial_policy_mapping_inhibit ?? false,
          inhibitAny: params.initial_any_policy_inhibit ?? false,
        },
      });
      const why = allErrors(results).map(({ message }) => message);
      expect({ isActive: status === 'ACTIVE', why: valid ? why : [] }).toEqual({ isActive: valid, why: [] });
      if (!valid) expect(why).not.toEqual([]);
    },
  );
});
