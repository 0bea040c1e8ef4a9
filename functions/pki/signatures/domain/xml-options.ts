import type * as z from 'zod';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import type { SignatureElementLocation } from '../contract.ts';

type XadesOptions = NonNullable<SignatureOptions['xades']>;
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
