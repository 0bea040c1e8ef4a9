import type * as z from 'zod';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import { errors } from '../../errors.ts';
import type { PrepareSignatureRequest, SignatureElementLocation } from '../contract.ts';

export type XadesOptions = NonNullable<SignatureOptions['xades']>;
type XmlSignatureOptions = z.output<typeof PrepareSignatureRequest>['xmlSignatureOptions'];
type Location = z.output<typeof SignatureElementLocation> | null | undefined;

export const elementOption = (id: string | null | undefined): XadesOptions =>
  id ? { element: { id: id.replace(/^#/, '') } } : {};

/** The place of the signature. */
export function placeOption(location: Location): XadesOptions {
  if (!location) return {};
  const { xPath, namespaces, insertionOption } = location;
  const prefixes = Object.fromEntries((namespaces ?? []).map(({ prefix, uri }) => [prefix, uri]));
  return { placedIn: { path: xPath, namespaces: prefixes }, insertion: insertionOption ?? 'AppendChild' };
}

// Typed clients send the options of every format. At their defaults they ask for nothing.

export const asksForXml = (options: XmlSignatureOptions): boolean =>
  Boolean(options?.elementToSignId || options?.signatureElementLocation || options?.type === 'XmlElement');

/** What is signed of XML, and the place of the signature. */
export function xmlOptions(options: XmlSignatureOptions): XadesOptions {
  const isElement = options?.type ? options.type === 'XmlElement' : Boolean(options?.elementToSignId);
  if (isElement !== Boolean(options?.elementToSignId))
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [
        {
          field: 'xmlSignatureOptions.elementToSignId',
          message: isElement ? 'is required to sign an element' : 'is for the type XmlElement',
        },
      ],
    });
  return { ...elementOption(options?.elementToSignId), ...placeOption(options?.signatureElementLocation) };
}
