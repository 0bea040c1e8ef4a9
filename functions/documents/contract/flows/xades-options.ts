import * as z from 'zod';
import { INSERTIONS, isSibling } from '../../../../shared/signing/xades/insertions.ts';
import { XADES_OPTIONS } from '../examples.ts';
import { line, orNull } from '../fields.ts';

const SIGNATURE_TYPES = ['FullXml', 'XmlElement', 'FullXmlAdRc'] as const;
const IDENTIFIER_TYPES = ['Id', 'XPath'] as const;

export const XadesOptionsRequest = z
  .object({
    signatureType: orNull(z.enum(SIGNATURE_TYPES)).describe(
      'Left out: `XmlElement` where an element is named, else `FullXml`. `FullXmlAdRc` is not made here.',
    ),
    elementToSignIdentifierType: orNull(z.enum(IDENTIFIER_TYPES)).describe('Left out: `Id`.'),
    elementToSignIdentifier: orNull(line(1_000)).describe(
      'Of the element to sign: its identifier, or a path of names as `/a/n:b[2]` or `//n:b`. It has an identifier in either case.',
    ),
    insertionOption: orNull(z.enum(INSERTIONS)).describe(
      'Where the signature stands by the element, or by the root. Left out: `AppendChild`, the last in it.',
    ),
    disableXPathTransformation: z
      .boolean()
      .nullish()
      .describe(
        '`true`: other signatures are not left out of what is signed, so that none fits into it later.',
      ),
  })
  .superRefine((options, context) => {
    const { signatureType, elementToSignIdentifier: element, insertionOption } = options;
    const refuse = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (signatureType === 'XmlElement' && element === null)
      refuse('elementToSignIdentifier', 'is required to sign an element');
    if (signatureType === 'FullXml' && element !== null)
      refuse('elementToSignIdentifier', 'is for the type XmlElement');
    if (element === null && insertionOption !== null && isSibling(insertionOption))
      refuse('insertionOption', 'is beside the root, where XML has no place');
  })
  .meta({
    description: 'What an action signs of XML, and where its signature stands.',
    examples: [XADES_OPTIONS],
  });

export const XadesOptionsModel = z
  .object({
    signatureType: z.enum(['FullXml', 'XmlElement']),
    elementToSignIdentifierType: z.enum(IDENTIFIER_TYPES),
    elementToSignIdentifier: z.string().nullable(),
    insertionOption: z.enum(INSERTIONS),
    disableXPathTransformation: z.boolean(),
  })
  .meta({ description: 'What an action signs of XML.', examples: [XADES_OPTIONS] });

/** The namespaces that paths of the flow name by prefix. */
export const XmlNamespace = z
  .object({
    prefix: line(100).regex(/^[A-Za-z_][\w.-]*$/, 'is not a prefix'),
    uri: line(1_000),
  })
  .meta({
    description: 'A namespace, by the prefix that paths have for it.',
    examples: [{ prefix: 'nfe', uri: 'http://www.portalfiscal.inf.br/nfe' }],
  });
