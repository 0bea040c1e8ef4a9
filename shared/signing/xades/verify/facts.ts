import type { XmlElement } from 'libxml2-wasm';
import type { Finding } from '../../../pki/validation-results.ts';
import { methodByUri, type SignatureMethod } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import type { Canonicalization } from '../xml/canonical.ts';
import { type Form, orRefused } from '../xml/sink.ts';
import type { Wanted } from '../xml/task.ts';
import { spend } from '../xml/work.ts';
import { digestsMatch, unsignedObjects } from './digests.ts';
import { algorithmOf, base64Of, NotAccepted, required } from './dom.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { type SignedProperties, signedPropertiesOf } from './properties.ts';
import type { Reader } from './reader.ts';
import { type Coverage, resolve } from './references.ts';
import type { SignedInfo } from './signed-info.ts';
import { type Stamped, stampsOf } from './stamps.ts';
import { readCanonicalization } from './transforms.ts';

/** All that a signature says and all that the document answers; nothing of it is in the parser's memory. */
export type Facts = {
  readonly method: SignatureMethod;
  /** The canonical SignedInfo: what the key signed. */
  readonly signed: Buffer;
  readonly value: Buffer;
  readonly evidence: Evidence;
  readonly properties: SignedProperties | undefined;
  readonly stamps: readonly Stamped[];
  readonly covers: readonly Coverage[];
  readonly findings: readonly Finding[];
};

/** What a signature says, and what must be taken out of the document to know whether it is so. */
export type Claim = {
  readonly wanted: readonly Wanted[];
  /** The facts, once every form that was wanted is there, in the same order. No node is touched. */
  facts(forms: readonly Form[]): Facts;
};

// Certificates, lists and tokens are taken apart; of all that stands in a document they are the densest.
const EVIDENCE_BYTE_UNITS = 60;

/**
 * Reads a signature. What it covers is found in the tree that it is itself read in, and digested by position there:
 * what is checked is what is told.
 */
export function claimOf(
  reader: Reader,
  signature: Signature,
  { element: signedInfo, said }: SignedInfo,
): Claim {
  const { element, at } = signature;
  const how = canonicalizationOf(signedInfo);
  const valueElement = required(element, 'ds:SignatureValue');
  const references = said.map((one) => resolve(reader, signature, one));
  const stamps = stampsOf(signature, valueElement);
  const evidence = evidenceOf(element);
  const held = [...Object.values(evidence).flat(), ...stamps.map(({ token }) => token)];
  spend(reader.tree.work, EVIDENCE_BYTE_UNITS * held.reduce((sum, { length }) => sum + length, 0));
  const { properties, finding } = signedPropertiesOf(element, references);
  const unsigned = unsignedObjects(element, references, reader.pathOf);
  const method = methodOf(required(signedInfo, 'ds:SignatureMethod'));
  const value = base64Of(valueElement);
  const ofSignedInfo: Wanted = {
    key: JSON.stringify({ signedInfo: at, how }),
    of: signedInfo,
    without: [],
    how,
    as: 'bytes',
  };
  return {
    wanted: [ofSignedInfo, ...[...stamps, ...references].map(({ wanted }) => wanted)],
    facts: (forms) => {
      const [signed = Buffer.alloc(0), ...rest] = forms.map(orRefused);
      const overs = rest.slice(0, stamps.length);
      return {
        ...{ method, signed, value, evidence, properties },
        stamps: stamps.map(({ token }, i) => ({ token, over: overs[i] ?? Buffer.alloc(0) })),
        covers: references.filter(({ isProperties }) => !isProperties).map(({ coverage }) => coverage),
        findings: [finding, ...unsigned, ...digestsMatch(references, rest.slice(stamps.length))],
      };
    },
  };
}

function canonicalizationOf(parent: XmlElement): Canonicalization {
  const method = required(parent, 'ds:CanonicalizationMethod');
  const how = readCanonicalization(method);
  if (how) return how;
  throw new NotAccepted(
    'AlgorithmNotAllowed',
    `The canonicalisation ${algorithmOf(method).slice(0, 100)} is not accepted.`,
  );
}

function methodOf(element: XmlElement): SignatureMethod {
  const uri = algorithmOf(element);
  const method = methodByUri(uri);
  if (method) return method;
  throw new NotAccepted(
    'AlgorithmNotAllowed',
    `The signature algorithm ${uri.slice(0, 100)} is not accepted: only RSA (PKCS#1 v1.5) and ECDSA are, with SHA-2 or SHA-1.`,
  );
}
