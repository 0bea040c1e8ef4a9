import { errorFinding, type Finding } from '../../../pki/findings/validation-results.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/**
 * Text injection: a signature is removed from what it covers, wherever it stands. Moved into a text, it makes a reader of
 * the first node read 10 in `10<ds:Signature/>00`, and a reader of the whole element read the signature's own text too.
 */
export const splitTextFindings = (reader: Reader, references: readonly Reference[]): Finding[] =>
  [...new Set(references.flatMap(({ excluded }) => excluded))]
    .filter((signature) => reader.splitsText(signature))
    .map(({ element }) =>
      errorFinding(
        'XmlDSigCoreValidationFailed',
        `The signature ${reader.pathOf(element)} stands in a text and splits it: a reader could take a part of it for the whole.`,
      ),
    );
