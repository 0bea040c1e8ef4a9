import { type Budget, createBudget } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';

// Measured on a Neoverse-N1. The worst of fifty kinds of hostile documents that are still read takes 0.3 s up to 1 MB,
// and 0.75 s at 10 MB. Three signatures over 10 MB of small elements, which must be read, take 0.7 to 0.8 s and 850
// million units; fifty in 300 KB take 0.11 s and 120 million. The first document of a process takes 0.13 s more.
const SMALL_DOCUMENT_UNITS = 300_000_000;
const UNITS_A_BYTE = 58;
const MAX_UNITS = 900_000_000;

/** The budget for reading one document so many times. @example const budget = createXmlBudget(document.length); */
export const createXmlBudget = (bytes: number, times = 1): Budget =>
  createBudget({
    units: times * Math.min(MAX_UNITS, SMALL_DOCUMENT_UNITS + UNITS_A_BYTE * bytes),
    refuse: refuseComplex,
  });

function refuseComplex(): never {
  throw new XmlRefused(
    'too-complex',
    'The document holds so many elements, attributes or namespaces, or so many signatures over the same parts, that reading it would take too long. Split it into several documents.',
  );
}
