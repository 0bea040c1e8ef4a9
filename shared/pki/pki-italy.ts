import { type Name, nameValue } from './name/name.ts';
import { NAME_OID } from './name/oids.ts';

// Sixteen characters of a person's tax code, behind the prefix of ETSI EN 319 412-1 or the one in use before it.
const SERIAL_NUMBER = /^(?:TINIT-|IT:)([A-Z0-9]{16})$/i;

/**
 * The Italian tax code that a subject's serial number names; undefined where it names none.
 * @example codiceFiscale(certificate.subject) // 'RSSMRA80A01H501U'
 */
export const codiceFiscale = (subject: Name): string | undefined =>
  SERIAL_NUMBER.exec(nameValue(subject, NAME_OID.serialNumber) ?? '')?.[1]?.toUpperCase();
