import { type Finding, warningFinding } from '../../pki/findings/validation-results.ts';
import { ATTRIBUTE, UNJUDGED_ATTRIBUTES } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';
import { MAX_TIMESTAMPS } from './signature-timestamps.ts';

const USED: readonly string[] = [
  ATTRIBUTE.signatureTimestamp,
  ATTRIBUTE.archiveTimestampV3,
  ATTRIBUTE.countersignature,
  ATTRIBUTE.certificateValues,
  ATTRIBUTE.revocationValues,
];
const MAX_NAMED = 10; // a message stays readable, whatever the signature holds

/** Countersignatures of one signature that are judged. Each costs a path, and anybody can add one. */
export const MAX_COUNTERSIGNATURES = 4;

/** Tells of what anybody may have added to a signature and nothing here rests on. */
export function unsignedFindings(
  { unsigned }: SignerInfo,
  maxCountersignatures: number = MAX_COUNTERSIGNATURES,
): Finding[] {
  const others = [...unsigned.keys()].filter((type) => !USED.includes(type));
  const named = others.filter((type) => UNJUDGED_ATTRIBUTES[type] !== undefined);
  const unknown = others.filter((type) => UNJUDGED_ATTRIBUTES[type] === undefined).slice(0, MAX_NAMED);
  const messages = [
    ...(named.length
      ? [
          `Present and not judged here: ${named.map((type) => `${UNJUDGED_ATTRIBUTES[type]} (${type})`).join(', ')}.`,
        ]
      : []),
    ...(unknown.length ? [`Unsigned attributes that are not understood here: ${unknown.join(', ')}.`] : []),
    ...describeExcess(unsigned.get(ATTRIBUTE.signatureTimestamp)?.length, MAX_TIMESTAMPS, 'timestamps'),
    ...describeExcess(
      unsigned.get(ATTRIBUTE.archiveTimestampV3)?.length,
      MAX_TIMESTAMPS,
      'archive timestamps',
    ),
    ...describeExcess(
      unsigned.get(ATTRIBUTE.countersignature)?.length,
      maxCountersignatures,
      'countersignatures',
    ),
  ];
  return messages.map((message) => warningFinding('UnknownUnsignedAttributesPresent', message));
}

const describeExcess = (count: number | undefined, max: number, what: string): string[] =>
  count !== undefined && count > max ? [`Of ${count} ${what}, ${max} were judged.`] : [];
