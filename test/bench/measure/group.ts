import { writeSync } from 'node:fs';
import type { Figure } from './figures.ts';

// Run by bench.ts in a process of its own: measures one group and prints its figures as JSON. What the measured code
// prints goes to the other stream.

console.log = console.error;
const { figures }: { figures: () => Promise<Figure[]> } = await import(`../${process.argv[2]}.ts`);
writeSync(1, JSON.stringify(await figures()));
process.exit();
