import type { XmlElement } from 'libxml2-wasm';
import { errorFinding, type Finding, passedFinding } from '../../../pki/findings/validation-results.ts';
import type { Signature } from '../signatures.ts';
import { isInLine } from '../xml/path.ts';
import { isNamed } from './dom.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/** The signature that another one countersigns, if any. */
export type CountersignatureResult = {
  /** The path of the countersigned signature. */
  readonly countersigns: string | undefined;
  readonly findings: readonly Finding[];
};

/**
 * A signature countersigns another when it references its SignatureValue. Under xades:CounterSignature it must
 * reference the SignatureValue of the signature around it (EN 319 132-1, 5.2.7.2). Signature transplant: that property
 * is unsigned, so anyone can paste a good signature over something else there.
 */
export function checkCountersignature(
  { signatures, pathOf }: Reader,
  signature: Signature,
  references: readonly Reference[],
): CountersignatureResult {
  const signed = references.flatMap(({ target }) =>
    target === 'document' ? [] : valueOwner(signatures, target),
  );
  const parent = signature.line.at(-2);
  if (!parent || !isNamed(parent, 'xades:CounterSignature'))
    return { countersigns: signed[0] && pathOf(signed[0].element), findings: [] };
  const around = signatures.findLast(
    (other) => other.line.length < signature.line.length && isInLine(other.line, signature.line),
  );
  if (around && signed.includes(around)) {
    const path = pathOf(around.element);
    return { countersigns: path, findings: [passedFinding(`It is a countersignature of ${path}.`)] };
  }
  return {
    countersigns: undefined,
    findings: [
      errorFinding(
        'XmlDSigCoreValidationFailed',
        'The signature stands as a countersignature and does not sign the value of the signature that it stands in.',
      ),
    ],
  };
}

function valueOwner(signatures: readonly Signature[], target: XmlElement): Signature[] {
  const owner = target.parent;
  if (!owner || !isNamed(target, 'ds:SignatureValue')) return [];
  return signatures.filter(({ element }) => element.isSameNode(owner));
}
