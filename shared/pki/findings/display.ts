import type { Certificate } from '../certificate/certificate.ts';
import { type Name, nameValue } from '../name/name.ts';
import { NAME_OID } from '../name/oids.ts';

/** A moment as people read it. @example moment(0) // '1970-01-01 00:00:00 UTC' */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'a time that no calendar has';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** What a person calls the owner of a name: the common name, else the whole. */
export const displayNameOf = (name: Name): string =>
  nameValue(name, NAME_OID.commonName) ?? (name.text || 'no name');

/** @example called(certificate) // 'AC Intermediaria' */
export const displayName = ({ subject }: Certificate): string => displayNameOf(subject);
