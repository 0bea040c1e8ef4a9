import type { XmlElement } from 'libxml2-wasm';
import { errorFinding } from '../../../pki/findings/validation-results.ts';
import type { Signature } from '../signatures.ts';
import type { Canonicalization } from '../xml/canonical.ts';
import { writtenName } from '../xml/path.ts';
import type { FormRequest } from '../xml/task.ts';
import { elementsIn, filterByName, findChildren, isNamed, NotAccepted, optionalChild } from './dom.ts';
import type { Reference } from './references.ts';
import { mergeStamps, partOf, readStamp, type Stamps, unreadable } from './stamps.ts';
import { notJudgedFinding } from './unsigned-properties.ts';

export type ArchiveInput = {
  readonly signature: Signature;
  readonly properties: readonly XmlElement[];
  /** Undefined where one of them is not supported: its bytes are not known. */
  readonly references: readonly Reference[] | undefined;
};

/**
 * The archive timestamps among the unsigned properties. Each covers everything before it (EN 319 132-1, 5.5.2.2):
 *
 *   what each reference covers | SignedInfo | SignatureValue | KeyInfo | properties before it | objects
 */
export const archiveStamps = (archived: ArchiveInput): Stamps =>
  mergeStamps(
    archived.properties.flatMap((property, at) => (isArchive(property) ? [readArchive(archived, at)] : [])),
  );

const isArchive = (property: XmlElement): boolean =>
  isNamed(property, 'xades141:ArchiveTimeStamp') || isNamed(property, 'xades:ArchiveTimeStamp');

function readArchive({ signature, properties, references }: ArchiveInput, at: number): Stamps {
  const property = properties[at];
  if (!property) return mergeStamps([]);
  const refuse = (why: string): Stamps => ({
    stamps: [],
    findings: [notJudgedFinding(writtenName(property), why)],
  });
  // Include lets an attacker choose what is covered (the "explicit" mechanism): only the implicit one is supported.
  if (elementsIn(property).some((child) => isNamed(child, 'xades:Include')))
    return refuse('it names what it covers by itself');
  const read = readStamp(property);
  if (read instanceof NotAccepted)
    return { stamps: [], findings: [errorFinding('InvalidArchiveTimestamp', unreadable(read))] };
  if (!read) return refuse('its kind or its canonicalisation is not supported');
  if (!references) return refuse('not all that the signature covers can be read');
  const { how, tokens } = read;
  const part = (name: string, element: XmlElement): FormRequest =>
    partOf(signature, { name, element, how, as: 'octets' });
  const parts = (['ds:SignedInfo', 'ds:SignatureValue', 'ds:KeyInfo'] as const).flatMap((name) => {
    const element = optionalChild(signature.element, name);
    return element ? [part(name, element)] : [];
  });
  const inputs = [
    ...references.map((reference) => octetsOf(reference, how)),
    ...parts,
    ...properties.slice(0, at).map((before, i) => part(`property ${i}`, before)),
    ...coveredObjects(property, signature.element, references).map(([object, i]) =>
      part(`object ${i}`, object),
    ),
  ];
  return { stamps: tokens.map((token) => ({ token, at, inputs })), findings: [] };
}

// A node set that no transform turned into octets is canonicalised by the timestamp's own method.
function octetsOf({ input, plan }: Reference, how: Canonicalization): FormRequest | Buffer {
  if (Buffer.isBuffer(input)) return input;
  if (plan.output !== 'nodes') return { ...input, as: 'octets' };
  const written = { ...how, withComments: false };
  return { ...input, key: `${input.key} ${JSON.stringify(written)}`, how: written, as: 'octets' };
}

// Every ds:Object but the one with the properties. Version 1.3.2 leaves out objects that the signature references.
function coveredObjects(
  property: XmlElement,
  signature: XmlElement,
  references: readonly Reference[],
): (readonly [XmlElement, number])[] {
  const isReferenced = (object: XmlElement): boolean =>
    references.some(({ target }) => target !== 'document' && target.isSameNode(object));
  const isOld = isNamed(property, 'xades:ArchiveTimeStamp');
  return filterByName(elementsIn(signature), 'ds:Object')
    .map((object, i) => [object, i] as const)
    .filter(([object]) => findChildren(object, 'xades:QualifyingProperties').length === 0)
    .filter(([object]) => !(isOld && isReferenced(object)));
}
