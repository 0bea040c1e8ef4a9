import type * as z from 'zod';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import { errors } from '../../errors.ts';
import type { SignatureElementLocation } from '../contract.ts';

type XadesOptions = NonNullable<SignatureOptions['xades']>;
type Location = z.output<typeof SignatureElementLocation> | null | undefined;

export const elementOption = (id: string | null | undefined): XadesOptions =>
  id ? { element: { id: id.replace(/^#/, '') } } : {};

/** The place of the signature. Only the end of an element is one. */
export function placeOption(location: Location): XadesOptions {
  if (!location) return {};
  const { xPath, namespaces, insertionOption } = location;
  if (insertionOption && insertionOption !== 'AppendChild')
    throw errors.refuse('OptionNotSupported', { option: 'insertionOption', value: insertionOption });
  const prefixes = Object.fromEntries((namespaces ?? []).map(({ prefix, uri }) => [prefix, uri]));
  return { placedIn: { path: xPath, namespaces: prefixes } };
}
