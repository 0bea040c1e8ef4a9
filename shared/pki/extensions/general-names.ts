import { children, childrenOf, DerError, type Element, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type Name, readName } from '../name/name.ts';

/** The forms of GeneralName (RFC 5280, 4.2.1.6). */
export type GeneralName =
  | { readonly kind: 'otherName'; readonly oid: string; readonly value: Element }
  | { readonly kind: 'rfc822Name' | 'dnsName' | 'uri'; readonly value: string }
  | { readonly kind: 'directoryName'; readonly name: Name }
  | { readonly kind: 'ipAddress'; readonly value: Buffer }
  | { readonly kind: 'registeredId'; readonly oid: string }
  | { readonly kind: 'x400Address' | 'ediPartyName'; readonly der: Buffer };

/** @example readGeneralNames(san).filter(({ kind }) => kind === 'uri') */
export function readGeneralNames(element: Element | undefined, tag: number = TAG.SEQUENCE): GeneralName[] {
  const names = childrenOf(element, tag).map(readGeneralName);
  if (!names.length) throw new DerError('A list of names is empty.');
  return names;
}

export function readGeneralName(element: Element): GeneralName {
  switch (element.tag) {
    case context(0):
      return readOtherName(element);
    case context(1, 'primitive'):
      return { kind: 'rfc822Name', value: latin1Of(element) };
    case context(2, 'primitive'):
      return { kind: 'dnsName', value: latin1Of(element) };
    case context(6, 'primitive'):
      return { kind: 'uri', value: latin1Of(element) };
    case context(3):
      return { kind: 'x400Address', der: element.raw };
    case context(4):
      // Name is a CHOICE, so its tag is explicit.
      return { kind: 'directoryName', name: readName(onlyChild(element)) };
    case context(5):
      return { kind: 'ediPartyName', der: element.raw };
    case context(7, 'primitive'):
      return { kind: 'ipAddress', value: element.content };
    case context(8, 'primitive'):
      return { kind: 'registeredId', oid: readOid({ ...element, tag: TAG.OID }) };
    default:
      throw new DerError(`Tag 0x${element.tag.toString(16)} is not a form of GeneralName.`);
  }
}

const latin1Of = (element: Element): string => element.content.toString('latin1');

function readOtherName(element: Element): GeneralName {
  const [type, wrapped] = children(element);
  return { kind: 'otherName', oid: readOid(type), value: onlyChild(wrapped) };
}

function onlyChild(element: Element | undefined): Element {
  const [only, ...more] = element ? children(element) : [];
  if (!only || more.length) throw new DerError('A name is not tagged as required.');
  return only;
}
