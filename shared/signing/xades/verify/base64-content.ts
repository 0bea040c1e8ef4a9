import type { XmlElement } from 'libxml2-wasm';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { isText } from '../xml/tree.ts';
import { NotAccepted } from './dom.ts';

// Copied out of the parser, stripped, decoded, and written again to compare.
const CHARACTER_UNITS = 12;

/**
 * The bytes that the text of an element spells (XML Signature, 6.6.2). The transform passes over markup: with any of
 * it inside, others could read something else here than what was signed. So an element with markup is refused.
 */
export function base64Content(element: XmlElement, path: string, budget: Budget): Buffer {
  // Counted before it is read: a text has as many bytes as characters, or it is no Base64.
  chargeTime(budget, CHARACTER_UNITS * Number(element.eval('string-length()')));
  const parts: string[] = [];
  for (let node = element.firstChild; node; node = node.next) {
    if (!isText(node))
      throw new NotAccepted(
        'XmlDSigCoreValidationFailed',
        `The element ${path} is signed as Base64 and holds markup, which is not signed.`,
      );
    parts.push(node.content);
  }
  const text = parts.join('').replace(/[ \t\r\n]+/g, '');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw new NotAccepted(
    'XmlDSigCoreValidationFailed',
    `The element ${path} is signed as Base64 and is none.`,
  );
}
