import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// They start engines and browsers. One that began last would run on alone, with nothing for the other worker to do.
const LONGEST = [
  'test/browser/',
  'test/docs/',
  'test/infra/',
  'test/contract/',
  'test/functions/session/',
  'test/agent/',
];

/** What takes long begins first. Without this the order is that of file sizes, which say little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((folder) => moduleId.includes(`/${folder}`));
      return found < 0 ? LONGEST.length : found;
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}
