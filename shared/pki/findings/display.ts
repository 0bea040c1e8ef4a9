import type { Certificate } from '../certificate/certificate.ts';
import { type Name, nameValue } from '../name/name.ts';
import { NAME_OID } from '../name/oids.ts';

/** Formats a time for people. @example formatTime(0) // '1970-01-01 00:00:00 UTC' */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'an invalid time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The common name, or the whole name where there is none. */
export const displayNameOf = (name: Name): string =>
  nameValue(name, NAME_OID.commonName) ?? (name.text || 'no name');

/** @example displayName(certificate) // 'AC Intermediaria' */
export const displayName = ({ subject }: Certificate): string => displayNameOf(subject);
