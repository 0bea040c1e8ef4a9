import type { XmlElement } from 'libxml2-wasm';
import { type Finding, failed, passed, warned } from '../../../pki/validation-results.ts';
import { elementsIn, named } from './dom.ts';
import { qualifyingOf } from './properties.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/** Compares everything that the signature covers with what was signed: `found` are the digests of the references. */
export function digestsMatch(references: readonly Reference[], found: readonly Buffer[]): Finding[] {
  if (!references.some(({ isContent }) => isContent))
    return [failed('XmlDSigCoreValidationFailed', 'The signature covers nothing but itself.')];
  return references.flatMap((reference, at) => [digestMatches(reference, found[at]), ...weakness(reference)]);
}

function digestMatches(reference: Reference, found: Buffer | undefined): Finding {
  const what = calledReference(reference);
  return found?.equals(reference.value)
    ? passed(`${what} as signed.`)
    : failed('MessageDigestMismatch', `${what} not as signed: the digests differ.`);
}

function weakness({ digest, coverage: { path, comments } }: Reference): Finding[] {
  const found: Finding[] = [];
  if (digest === 'sha1') found.push(warned('AlgorithmNotAllowed', 'A digest of the signature is SHA-1.'));
  if (comments > 0)
    found.push(
      warned(
        'XmlDSigCoreValidationFailed',
        `Inside ${path} stand ${comments} comments that the signature does not cover: anyone may have put them there.`,
      ),
    );
  return found;
}

function calledReference({ isProperties, coverage }: Reference): string {
  if (isProperties) return 'The signed properties are';
  return coverage.kind === 'document' ? 'The document is' : `The element ${coverage.path} is`;
}

/** Tells of objects that the signature carries and does not sign: they could be taken for the signer's word. */
export function unsignedObjects(
  signature: XmlElement,
  references: readonly Reference[],
  pathOf: Reader['pathOf'],
): Finding[] {
  const qualifying = qualifyingOf(signature);
  const isSigned = (element: XmlElement): boolean =>
    references.some(({ target }) => target !== 'document' && target.isSameNode(element));
  return named(elementsIn(signature), 'ds:Object')
    .filter((object) => !isSigned(object))
    .flatMap((object) => elementsIn(object))
    .filter((content) => !isSigned(content) && !(qualifying && content.isSameNode(qualifying)))
    .map((content) =>
      failed(
        'XmlDSigCoreValidationFailed',
        `The signature carries ${pathOf(content)}, which it does not sign.`,
      ),
    );
}
