import { XmlRefused } from '../errors.ts';

/**
 * How much work one document may still ask for. A unit is about a nanosecond of one core (Neoverse-N1); it is counted
 * from what the document holds and never from a clock, so that the same document always comes out the same way.
 */
export type Work = { leftUnits: number };

// The worst of fifty kinds of hostile documents that are still read takes 0.3 s up to 1 MB, and 0.75 s at 10 MB. Three
// signatures over 10 MB of small elements, which must be read, take 0.7 to 0.8 s and 850 million units; fifty in 300 KB
// take 0.11 s and 120 million. The first document of a process takes 0.13 s more than these figures.
const FOR_SMALL_DOCUMENTS_UNITS = 300_000_000;
const UNITS_A_BYTE = 58;
const MAX_UNITS = 900_000_000;

/** @example const work = workFor(document.length); */
export const workFor = (bytes: number, times = 1): Work => ({
  leftUnits: times * Math.min(MAX_UNITS, FOR_SMALL_DOCUMENTS_UNITS + UNITS_A_BYTE * bytes),
});

/** Counts work that is about to be done, and refuses the document when it has asked for too much. */
export function spend(work: Work, units: number): void {
  work.leftUnits -= units;
  if (work.leftUnits < 0)
    throw new XmlRefused(
      'too-complex',
      'The document holds so many elements, attributes or namespaces, or so many signatures over the same parts, that reading it would take too long. Split it into several documents.',
    );
}
