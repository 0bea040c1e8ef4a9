import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// A worker goes on to the next file in its process only while that is of the same project, so that those stand together.
const PROJECTS = ['whole', 'house', 'store', 'pure'];

// They start engines and browsers. One that began last would run on alone, with nothing for the other workers to do.
const SLOWEST = [
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
    const folder = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((start) => moduleId.includes(`/${start}`));
      return found < 0 ? SLOWEST.length : found;
    };
    const project = (file: TestSpecification): number => PROJECTS.indexOf(file.project.name);
    return files.toSorted((a, b) => project(a) - project(b) || folder(a) - folder(b));
  }
}
